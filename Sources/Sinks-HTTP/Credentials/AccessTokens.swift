import HTTPDelivery
import NIOSSL
public import TrackEngine
import TrackEngineSettings

/// Access tokens that expire, renewed before they do (OAuth 2, RFC 6749).
///
/// A refresh token that the server has changed is on the disk before the access token that came with it is used, so that no
/// end of the process leaves a token behind that the server takes no more. However many requests wait, one asks.
public actor AccessTokens {
    /// How long before its end a token is renewed, in seconds, and as which part of its life at the most.
    private static let margin = (seconds: 60.0, part: 0.1)

    private let grant: TokenGrant
    private let endpoint: Endpoint
    private let tls: TLSConfiguration
    /// Made when it is needed: whoever makes tokens and then no sink has nothing to close.
    private var exchange: HTTPExchange?
    private let file: TokenFile
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Timestamp
    private var tokens: KeptTokens?
    /// What the disk does not have yet.
    private var isUnwritten = false
    private var renewal: Task<Secret, any Error>?

    /// How long an exchange with the token server may take.
    private static let timeout = Duration.seconds(30)

    /// Tokens of a grant; nothing is asked for yet.
    ///
    /// - Parameters:
    ///   - grant: where they come from.
    ///   - tls: files for TLS; those of the receiver, too.
    ///   - clock: times each exchange.
    ///   - now: the wall clock, against which tokens end.
    /// - Throws: everything that is wrong with the grant.
    public init(
        _ grant: TokenGrant, tls: TLSOptions = TLSOptions(), clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Timestamp = Timestamp.now
    ) throws(ConfigurationError) {
        try self.init(grant, tls: tls, file: TokenFile(of: "", in: nil), clock: clock, now: now)
    }

    package init(
        _ grant: TokenGrant, tls: TLSOptions = TLSOptions(), file: TokenFile,
        clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Timestamp = Timestamp.now
    ) throws(ConfigurationError) {
        let destination = try Destination(of: "auth", tls.files) { $0.endpoint(of: grant) }
        self.grant = grant
        endpoint = destination.endpoint
        self.tls = destination.tls
        self.file = file
        self.clock = clock
        self.now = now
    }

    /// The token of the next request, renewed if need be.
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

    /// Says that the receiver does not take a token: another one is asked for.
    func refuse(_ token: Secret) {
        if tokens?.accessToken == token.revealed { tokens?.accessToken = nil }
    }

    /// What ends later than any token may was kept under a clock that was wrong, or by somebody else.
    private func isGood(_ kept: KeptTokens) -> Bool {
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
        var next = tokens ?? KeptTokens(of: grant)
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

    /// Exchanges the refresh token that the server has given, or the first one.
    ///
    /// A chain that has broken begins again where it began, by the server's own word alone: servers take a token that was used
    /// before for a stolen one and revoke the whole chain, so a firewall's 403 must not bring it about.
    private func exchange(_ given: Secret?) async throws(DeliveryError) -> TokenReply {
        let asked = given ?? grant.refreshToken
        let reply = try await ask(asked)
        guard given != nil, !(200...299).contains(reply.status), TokenReply.error(reply.body) == "invalid_grant" else {
            return try read(reply, to: asked)
        }
        return try read(try await ask(grant.refreshToken), to: grant.refreshToken)
    }

    private func ask(_ refreshToken: Secret?) async throws(DeliveryError) -> Reply {
        let exchange = exchange ?? HTTPExchange(method: "POST", tls: tls)
        self.exchange = exchange
        return try await exchange.send(
            grant.body(refreshToken), headers: grant.headers, to: endpoint, within: Self.timeout, clock: clock)
    }

    private func read(_ reply: Reply, to refreshToken: Secret?) throws(DeliveryError) -> TokenReply {
        let secrets = grant.secrets(with: refreshToken) + endpoint.secrets
        do throws(DeliveryError) {
            try ReplyVerdict.of(
                reply, endpoint: endpoint, now: now(), hiding: secrets.hidingOrder,
                clientError: { reply in
                    guard [400, 401, 403].contains(reply.status) else { return nil }
                    let word = TokenReply.error(reply.body) ?? "HTTP \(reply.status)"
                    return .failed(.pause, "\(word): expected another refreshToken, clientID or clientSecret in auth")
                },
                success: { _ in .acknowledged }
            ).get()
        } catch { throw DeliveryError(error.recovery.withoutRecord, "the token server: \(error.reason)") }
        guard !reply.isCut, let tokens = TokenReply(reply.body) else {
            throw DeliveryError(.retryUnanswered(), "the token server replies something else, expected a bearer token")
        }
        return tokens
    }

    /// Ends the connection and the thread behind it.
    public func close() async {
        await exchange?.close()
        exchange = nil
    }
}

extension DeliveryError.Recovery {
    /// The same where no record can be to blame.
    fileprivate var withoutRecord: DeliveryError.Recovery {
        switch self {
        case .refused, .tooLarge: .pause
        case .retrySuspectingRecord: .retry()
        default: self
        }
    }
}

extension Timestamp {
    /// Seconds since 1970 with their fraction.
    fileprivate var secondsInAll: Double { Double(nanosecondsSince1970) / 1e9 }
}
