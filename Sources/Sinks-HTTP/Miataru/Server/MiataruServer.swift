import NIOSSL
import TrackEngine
import TrackEngineSettings

/// Makes calls to a Miataru server, over one connection.
final class MiataruServer: Sendable {
    private let base: Endpoint
    private let httpTimeout: Duration
    private let exchange: DeliveryClient
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Timestamp

    /// Creates a server; its TLS files are read here.
    ///
    /// - Throws: all problems of the address.
    init(
        _ address: ServerAddress, clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Timestamp = Timestamp.now
    ) throws(ConfigurationError) {
        let destination = try SinkEndpoint(of: "miataru", address.tls) { $0.endpoint(of: address, call: "") }
        base = destination.endpoint
        httpTimeout = address.httpTimeout
        exchange = DeliveryClient(method: "POST", tls: destination.tls)
        self.clock = clock
        self.now = now
    }

    /// Makes a call and returns the document in the server's reply.
    ///
    /// - Parameters:
    ///   - call: the last part of the path, `GetLocation`.
    ///   - request: the document to send.
    ///   - secrets: texts of the request that must not be shown in a reason.
    /// - Throws: the reason why there is no document.
    func call(_ call: String, _ request: JSONValue, hiding secrets: [String]) async throws(DeliveryError) -> JSONValue {
        guard let endpoint = Endpoint(ifReadable: base.text + call) else {
            throw DeliveryError(.needsOperator, "the server's address is too long for its calls")
        }
        let reply = try await exchange.send(
            request.bytes, headers: MiataruSink.headers, to: endpoint, within: httpTimeout, clock: clock)
        try ReplyOutcome.of(
            reply, endpoint: endpoint, now: now(), hiding: (secrets + endpoint.secrets).hidingOrder,
            clientError: ReplyOutcome.refusedKey, success: { _ in .acknowledged }
        ).get()
        guard !reply.isCut else { throw DeliveryError(.smaller, "HTTP \(reply.status) with more than 64 KiB") }
        guard let document = JSONValue(ifReadable: reply.body) else {
            let what = reply.looksLikeAPage ? "a web page" : "other content"
            // A web page is not from the Miataru server; unreadable JSON may be caused by one device.
            throw DeliveryError(
                reply.looksLikeAPage ? .retry(evidence: .silence) : .retry(evidence: .failure),
                "HTTP \(reply.status) with \(what), expected a JSON document")
        }
        return document
    }

    /// Makes a call with the current identity, or with a pending new key if the server has that already.
    ///
    /// - Parameter others: further texts that must not be shown in a reason.
    func call(
        _ name: String, as keeper: IdentityReader, hiding others: [String] = [],
        _ request: @Sendable (MiataruIdentity) -> JSONValue
    ) async throws(DeliveryError) -> JSONValue {
        let identity = try await keeper.identity()
        do throws(DeliveryError) {
            return try await call(name, request(identity), hiding: identity.secrets + others)
        } catch {
            guard error.isAboutKey, let pending = keeper.pending else { throw error }
            let reply = try await call(name, request(pending), hiding: pending.secrets + others)
            try? keeper.confirm(pending)  // after a failure it is tried again with the next request
            return reply
        }
    }

    /// Closes the connection.
    func close() async { await exchange.close() }
}
