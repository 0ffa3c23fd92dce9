package import TrackEngine
package import TrackEngineSettings

/// The meaning of a reply for the batch: acknowledged, or an error with the recovery.
///
/// The table follows the practice of servers, not the rules of HTTP: a bad record gives 500 more often than 400, and
/// a login page gives 200 with HTML.
package enum ReplyOutcome: Sendable, Hashable {
    case acknowledged
    case failed(DeliveryError.Recovery, String)

    /// The verdict on a reply.
    ///
    /// - Parameters:
    ///   - endpoint: the address of the request, to describe the change that a redirect requires.
    ///   - now: the reference for a `Retry-After` date.
    ///   - secrets: texts that must not be shown in a reason even if the server repeats them.
    ///   - clientError: the verdict of the server's protocol on a reply with a status from 400 to 499; `nil`, the
    ///     default, for the verdict of the table.
    ///   - success: the verdict on a reply with a status from 200 to 299.
    package static func of(
        _ reply: Reply, endpoint: Endpoint, now: Timestamp, hiding secrets: [String] = [],
        clientError: (Reply) -> ReplyOutcome? = { _ in nil }, success: (Reply) -> ReplyOutcome
    ) -> ReplyOutcome {
        switch judged(reply, endpoint, now, clientError, success) {
        case .acknowledged: return .acknowledged
        case .failed(let recovery, let reason):
            guard reply.status >= 400 || recovery == .retry(evidence: .failure),
                let words = ServerErrorText.of(reply.body, hiding: secrets)
            else { return .failed(recovery, reason) }
            return .failed(recovery, "\(reason); reply: \(words)")
        }
    }

    private static func judged(
        _ reply: Reply, _ endpoint: Endpoint, _ now: Timestamp, _ clientError: (Reply) -> ReplyOutcome?,
        _ success: (Reply) -> ReplyOutcome
    ) -> ReplyOutcome {
        let wait = reply.retryAfter.flatMap { RetryTime.wait($0, now: now) }
        switch reply.status {
        case 200...299: return success(reply)
        case 300...399: return .failed(.needsOperator, redirect(reply, from: endpoint))
        case 400 where isPlainHTTPToTLSPort(reply): return .failed(.needsOperator, "HTTP 400: the port expects https")
        case 400...499: return clientError(reply) ?? Self.clientError(reply, wait)
        case 500...599: return serverError(reply, wait)
        default: return .failed(unanswered(wait), "HTTP \(reply.status) is no final answer")
        }
    }

    /// The verdict for a protocol with optional bodies: a reply that begins like a web page is a login page, as in
    /// hotels.
    static func unlessPage(_ reply: Reply) -> ReplyOutcome {
        guard reply.looksLikeAPage else { return .acknowledged }
        return .failed(.retry(evidence: .silence), "HTTP \(reply.status) with a web page, not a receiver's answer")
    }

    /// Returns if the server has acknowledged.
    ///
    /// - Throws: the failure, for the delivery.
    package func get() throws(DeliveryError) {
        switch self {
        case .acknowledged: return
        case .failed(let recovery, let reason): throw DeliveryError(recovery, reason)
        }
    }
}

// MARK: 3xx, 4xx, 5xx

extension ReplyOutcome {
    /// A description of a redirect that was not followed, and of the change that a person must make. It only names
    /// origins, because paths may contain tokens.
    private static func redirect(_ reply: Reply, from endpoint: Endpoint) -> String {
        let status = "HTTP \(reply.status) redirect"
        guard let location = reply.location, let target = endpoint.resolving(location) else {
            return "\(status) without a usable address"
        }
        if target.origin != endpoint.origin { return "\(status) to \(target.origin), not followed" }
        if target.target == endpoint.target + "/" {
            return "\(status) to the same address with a slash at its end: set that"
        }
        return "\(status) to another path of \(target.origin), not followed"
    }

    private static func clientError(_ reply: Reply, _ wait: Duration?) -> ReplyOutcome {
        let status = "HTTP \(reply.status)"
        switch reply.status {
        case 401, 402, 403, 407:
            return .failed(
                .needsOperator,
                "\(status): the receiver does not accept the credentials, or the account's limit is reached")
        case 404, 405, 406, 410, 411, 414, 415, 417, 421, 426, 428, 431, 451:
            return .failed(.needsOperator, "\(status): the receiver expects another address or format")
        case 408, 420, 423, 425, 429, 499: return .failed(.retry(after: wait), status + inWords(wait))
        case 413: return .failed(.smaller, "\(status): too large for the receiver")
        default: return .failed(.rejected, "\(status): the receiver refuses the content")
        }
    }

    /// nginx replies with 400 to plain HTTP on a TLS port; no record is the cause.
    private static func isPlainHTTPToTLSPort(_ reply: Reply) -> Bool {
        String(decoding: reply.body.prefix(2048), as: UTF8.self).contains("plain HTTP request was sent to HTTPS port")
    }

    private static func serverError(_ reply: Reply, _ wait: Duration?) -> ReplyOutcome {
        let status = "HTTP \(reply.status)" + inWords(wait)
        switch reply.status {
        case 505: return .failed(.needsOperator, "\(status): the receiver does not speak HTTP/1.1")
        // Gateways and overload: the server's own code has not received the batch, or has crashed on it. 52x and 530
        // are Cloudflare's.
        case 502, 503, 504, 507, 508, 509, 511, 521...527, 529, 530, 598, 599:
            return .failed(unanswered(wait), status)
        default: return .failed(.retry(after: wait, evidence: .failure), status)
        }
    }

    /// The recovery if another program has replied in place of the server. A reply with a time to wait is not about
    /// a record.
    private static func unanswered(_ wait: Duration?) -> DeliveryError.Recovery {
        wait == nil ? .retry(evidence: .silence) : .retry(after: wait)
    }

    private static func inWords(_ wait: Duration?) -> String {
        wait.map { ", asks for \($0.inWords)" } ?? ""
    }
}
