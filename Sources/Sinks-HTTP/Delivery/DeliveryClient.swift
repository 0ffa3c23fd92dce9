import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
package import NIOSSL
package import TrackEngine
package import TrackEngineSettings

/// An HTTP client with a thread of its own, which sends a body and returns the reply.
///
/// Only redirects that keep method, body and origin are followed (307 and 308), so credentials never leave the
/// origin. Replies are read up to ``Reply/maximumBodyLength`` and never decompressed.
package final class DeliveryClient: Sendable {
    /// The most redirects that are followed.
    static let maximumRedirects = 3
    /// The range of the time limit for an exchange, in milliseconds.
    package static let timeouts = CalmGeoConfiguration.httpTimeouts

    /// The engine's user agent.
    static let userAgent = "TrackEngine/0.1"

    private let group: MultiThreadedEventLoopGroup
    private let client: HTTPClient
    private let method: NIOHTTP1.HTTPMethod

    /// Creates a client that sends with this method.
    package init(method: String, tls: TLSConfiguration) {
        group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        client = HTTPClient(eventLoopGroup: group, configuration: Self.policy(tls))
        self.method = NIOHTTP1.HTTPMethod(rawValue: method)
    }

    private static func policy(_ tls: TLSConfiguration) -> HTTPClient.Configuration {
        var policy = HTTPClient.Configuration(
            tlsConfiguration: tls,
            redirectConfiguration: .disallow,
            timeout: HTTPClient.Configuration.Timeout(connect: .seconds(5)),
            decompression: .disabled)
        policy.httpVersion = .http1Only
        policy.connectionPool.idleTimeout = .seconds(30)
        policy.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1
        policy.connectionPool.retryConnectionEstablishment = false  // the delivery tries again, and needs the reason
        policy.http1_1ConnectionDebugInitializer = { ReplyGuard.insert(into: $0) }
        policy.tracing.tracer = nil  // spans would carry the URL with its tokens
        return policy
    }

    /// Sends a body and returns the reply, or the last one if redirects were followed.
    package func send(
        _ body: [UInt8], headers: [(name: String, value: String)], to endpoint: Endpoint
    ) async throws -> Reply {
        let buffer = ByteBuffer(bytes: body)
        let headers = HTTPHeaders(headers.map { ($0.name, $0.value) })
        var address = endpoint
        var reply = try await sendOnce(buffer, headers, to: address)
        for _ in 0..<Self.maximumRedirects {
            guard reply.status == 307 || reply.status == 308,
                let target = reply.location.flatMap({ address.resolving($0) }), target.origin == endpoint.origin
            else { break }
            address = target
            reply = try await sendOnce(buffer, headers, to: address)
        }
        return reply
    }

    /// Sends a body within a time limit for the whole exchange.
    ///
    /// - Throws: the reason why there is no complete reply.
    package func send(
        _ body: [UInt8], headers: [(name: String, value: String)], to endpoint: Endpoint, within limit: Duration,
        clock: any Clock<Duration>
    ) async throws(DeliveryError) -> Reply {
        do {
            return try await withDeadline(limit, clock: clock) { [self] in
                try await send(body, headers: headers, to: endpoint)
            }
        } catch {
            let failure = Task.isCancelled ? .cancelled : RequestFailure(error)
            throw failure.deliveryError(to: endpoint.origin)
        }
    }

    private func sendOnce(_ body: ByteBuffer, _ headers: HTTPHeaders, to endpoint: Endpoint) async throws -> Reply {
        var request = HTTPClientRequest(url: endpoint.text)
        request.method = method
        request.headers = headers
        request.body = .bytes(body)
        let response = try await client.execute(request, deadline: .distantFuture)
        var reply = Reply(status: Int(response.status.code))
        reply.retryAfter = response.headers.first(name: "Retry-After")
        reply.location = response.headers.first(name: "Location")
        for try await chunk in response.body {
            let room = Reply.maximumBodyLength - reply.body.count
            reply.body.append(contentsOf: chunk.readableBytesView.prefix(room))
            reply.isCut = chunk.readableBytes > room
            if reply.isCut { break }  // which closes the connection
        }
        return reply
    }

    /// Closes the client and its thread; requests in progress are cancelled.
    package func close() async {
        try? await client.shutdown()  // fails only after an earlier shutdown
        try? await group.shutdownGracefully()  // fails only after an earlier shutdown
    }

    deinit {
        // For owners that do not call close(). Both calls are harmless after it.
        client.shutdown { [group] _ in group.shutdownGracefully { _ in } }
    }
}

/// A server's reply, reduced to the parts in use.
package struct Reply: Sendable, Hashable {
    /// The most bytes of a body that are read.
    static let maximumBodyLength = 64 * 1024

    package let status: Int
    /// The value of `Retry-After`.
    package var retryAfter: String?
    /// The value of `Location`.
    package var location: String?
    /// The body, cut to ``maximumBodyLength`` bytes.
    package var body: [UInt8]
    /// Whether the body was longer.
    package var isCut = false

    package init(status: Int, body: [UInt8] = []) {
        self.status = status
        self.body = body
    }

    /// Whether the first visible character is `<`. The content type is no evidence: frameworks send text/html for
    /// "ok".
    var looksLikeAPage: Bool {
        let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]
        let text = body.starts(with: byteOrderMark) ? body.dropFirst(3) : body[...]
        return text.first { $0 > 0x20 } == UInt8(ascii: "<")
    }
}

/// Runs `body` and cancels it after a time limit, even in the middle of a reply that arrives slowly.
///
/// The cancelled operation is waited for, so it does not outlive the call.
func withDeadline<Success: Sendable>(
    _ limit: Duration, clock: any Clock<Duration>, _ body: @escaping @Sendable () async throws -> Success
) async throws -> Success {
    try await withThrowingTaskGroup(of: Success?.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await clock.sleep(for: limit)
            return nil
        }
        defer { group.cancelAll() }
        guard let first = try await group.next(), let success = first else { throw RequestFailure.deadline(limit) }
        return success
    }
}
