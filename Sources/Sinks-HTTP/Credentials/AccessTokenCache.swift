import NIOSSL
public import TrackEngine
import TrackEngineSettings

/// Access tokens that are renewed before they expire (OAuth 2, RFC 6749).
///
/// A changed refresh token is written to the disk before the access token that came with it is used. The process can
/// thus end at any time without leaving a token that the server no longer accepts. Concurrent requests share one
/// renewal.
public actor AccessTokenCache {
    /// The time before its expiry at which a token is renewed, in seconds, and its largest part of the token's
    /// lifetime.
    private static let margin = (seconds: 60.0, part: 0.1)

    private let grant: TokenEndpoint
    private let endpoint: Endpoint
    private let tls: TLSConfiguration
    /// Created on first use: a caller that makes tokens but no sink has no connection to close.
    private var exchange: DeliveryClient?
    private let file: TokenFile
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Timestamp
    private var tokens: TokenState?
    /// Whether the current tokens are not yet on the disk.
    private var isUnwritten = false
    private var renewal: Task<Secret, any Error>?

    /// The longest duration of an exchange with the token server.
    private static let timeout = Duration.seconds(30)

    /// Tokens of a grant; does not request a token yet.
    ///
    /// - Parameters:
    ///   - grant: The source of the tokens.
    ///   - tls: The files for TLS, the same as for the receiver.
    ///   - clock: The clock that times each exchange.
    ///   - now: The wall clock, with which the expiry of tokens is compared.
    /// - Throws: All problems of the grant.
    public init(
        _ grant: TokenEndpoint, tls: TLSOptions = TLSOptions(), clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Timestamp = Timestamp.now
    ) throws(ConfigurationError) {
        try self.init(grant, tls: tls, file: TokenFile(of: "", in: nil), clock: clock, now: now)
    }

    package init(
        _ grant: TokenEndpoint, tls: TLSOptions = TLSOptions(), file: TokenFile,
        clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Timestamp = Timestamp.now
    ) throws(ConfigurationError) {
        let destination = try SinkEndpoint(of: "auth", tls.files) { $0.endpoint(of: grant) }
        self.grant = grant
        endpoint = destination.endpoint
        self.tls = destination.tls
        self.file = file
        self.clock = clock
        self.now = now
    }

    /// The token for the next request, renewed if necessary.
    func token() async throws(DeliveryError) -> Secret {
        do {
            let kept = try tokens ?? file.read(of: grant)
            tokens = kept
            if isUnwritten {
                try file.write(kept)
                isUnwritten = false
            }
            if let token = kept.accessToken.map({ Secret($0) }), isGood(kept) { return token }
        } catch {
            throw DeliveryError(.retry(), "the tokens cannot be kept: \(error)")
        }
        return try await renewed()
    }

    /// Discards a token that the receiver has rejected, so that another one is requested.
    func refuse(_ token: Secret) {
        if tokens?.accessToken == token.revealed { tokens?.accessToken = nil }
    }

    /// Whether the saved token is valid now. A token that expires later than any token may was saved under a wrong
    /// clock or by another program.
    private func isGood(_ kept: TokenState) -> Bool {
        let left = (kept.expires ?? 0) - now().secondsInAll
        return left > 0 && left <= TokenReply.lifetimes.upperBound
    }

    private func renewed() async throws(DeliveryError) -> Secret {
        let task = renewal ?? Task { try await renew() }
        renewal = task
        defer { if renewal == task { renewal = nil } }
        do { return try await task.value } catch let error as DeliveryError { throw error } catch {
            throw DeliveryError(.retry(), "the tokens cannot be kept: \(error)")
        }
    }

    private func renew() async throws -> Secret {
        var next = tokens ?? TokenState(of: grant)
        let reply = try await exchange(next.refreshToken.map { Secret($0) })
        if let refresh = reply.refreshToken, grant.refreshToken != nil { next.refreshToken = refresh.revealed }
        next.accessToken = reply.accessToken.revealed
        let margin = min(Self.margin.seconds, reply.lifetime * Self.margin.part)
        next.expires = now().secondsInAll + reply.lifetime - margin
        tokens = next
        isUnwritten = true
        try file.write(next)
        isUnwritten = false
        return reply.accessToken
    }

    /// Exchanges the refresh token from the server's last reply, or the first one.
    ///
    /// A broken chain restarts with the first token, but only if the server itself replies `invalid_grant`: servers
    /// treat a repeated token as stolen and revoke the whole chain. A firewall's 403 must not cause that.
    private func exchange(_ given: Secret?) async throws(DeliveryError) -> TokenReply {
        let asked = given ?? grant.refreshToken
        let reply = try await ask(asked)
        guard given != nil, !(200...299).contains(reply.status), TokenReply.error(reply.body) == "invalid_grant" else {
            return try read(reply, to: asked)
        }
        return try read(try await ask(grant.refreshToken), to: grant.refreshToken)
    }

    private func ask(_ refreshToken: Secret?) async throws(DeliveryError) -> Reply {
        let exchange = exchange ?? DeliveryClient(method: "POST", tls: tls)
        self.exchange = exchange
        return try await exchange.send(
            grant.body(refreshToken), headers: grant.headers, to: endpoint, within: Self.timeout, clock: clock)
    }

    private func read(_ reply: Reply, to refreshToken: Secret?) throws(DeliveryError) -> TokenReply {
        let secrets = grant.secrets(with: refreshToken) + endpoint.secrets
        do throws(DeliveryError) {
            try ReplyOutcome.of(
                reply, endpoint: endpoint, now: now(), hiding: secrets.hidingOrder,
                clientError: { reply in
                    guard [400, 401, 403].contains(reply.status) else { return nil }
                    let word = TokenReply.error(reply.body) ?? "HTTP \(reply.status)"
                    return .failed(
                        .needsOperator, "\(word): expected another refreshToken, clientID or clientSecret in auth")
                },
                success: { _ in .acknowledged }
            ).get()
        } catch { throw DeliveryError(error.recovery.withoutRecord, "the token server: \(error.reason)") }
        guard !reply.isCut, let tokens = TokenReply(reply.body) else {
            throw DeliveryError(
                .retry(evidence: .silence), "an unexpected reply of the token server, expected a bearer token")
        }
        return tokens
    }

    /// Closes the connection and ends its thread.
    public func close() async {
        await exchange?.close()
        exchange = nil
    }
}

extension DeliveryError.Recovery {
    /// The same recovery, for a failure that no record can have caused.
    fileprivate var withoutRecord: DeliveryError.Recovery {
        switch self {
        case .rejected, .smaller: .needsOperator
        case .retry(_, evidence: .failure): .retry()
        default: self
        }
    }
}

extension Timestamp {
    /// Seconds since 1970 with their fraction.
    fileprivate var secondsInAll: Double { Double(nanosecondsSince1970) / 1e9 }
}
