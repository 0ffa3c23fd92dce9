import Foundation
import Synchronization

/// A token server of OAuth 2 at `/token` and a receiver at any other path that takes its access tokens alone, on the loopback
/// interface. Refresh tokens count for one exchange each, as where they are rotated.
package final class TokenServer: Sendable {
    /// What a test may change and look at.
    package struct State: Sendable {
        /// What the next refresh must be; a client's own request needs none.
        package var refreshToken = "first"
        /// Whether an exchange makes the refresh token before it worthless.
        package var rotates = true
        /// How long access tokens are said to be good, as it stands in the reply.
        package var lifetime = "3600"
        /// The access token that is given again and again, as servers do until it ends.
        package var repeated: String?
        /// What `/token` answers instead: a status and a body.
        package var refusal: (status: Int, body: String)?
        /// The access tokens that the receiver takes.
        package var valid: Set<String> = []
        /// The bodies of the requests for tokens, and the `Authorization` of each.
        package var requests: [(body: String, authorization: String?)] = []
        /// The `Authorization` of each request to the receiver.
        package var arrivals: [String?] = []
        /// How many bodies the receiver has taken.
        package var taken = 0
        fileprivate var issued = 0
    }

    package let state = Mutex(State())
    private let port: ReservedPort
    private let listener: Mutex<LoopbackListener?>

    package init() throws {
        port = try ReservedPort()
        listener = Mutex(nil)
        let made = try LoopbackListener(at: .ipv4(port.number)) { [self] in serve($0) }
        listener.withLock { $0 = made }
    }

    package func stop() { listener.withLock { $0?.stop() } }

    /// The address of a path.
    package func url(_ path: String) -> String { "http://127.0.0.1:\(port.number)\(path)" }

    private func serve(_ connection: Int32) {
        guard let (head, body) = read(connection) else { return }
        let lines = head.split(separator: "\r\n")
        let authorization = lines.first { $0.lowercased().hasPrefix("authorization: ") }.map {
            String($0.dropFirst(15))
        }
        let isToken = lines.first?.contains(" /token") ?? false
        let (status, reply) = isToken ? issue(body, authorization) : receive(authorization)
        let bytes = Array(
            """
            HTTP/1.1 \(status) X\r\nContent-Type: application/json\r\nContent-Length: \(reply.utf8.count)\r\n\
            Connection: close\r\n\r\n\(reply)
            """.utf8)
        _ = bytes.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    private func issue(_ body: String, _ authorization: String?) -> (Int, String) {
        state.withLock { state in
            state.requests.append((body, authorization))
            if let refusal = state.refusal { return refusal }
            let isOwn = body.contains("grant_type=client_credentials")
            guard
                isOwn || body.contains("refresh_token=\(state.refreshToken)&")
                    || body.hasSuffix("refresh_token=\(state.refreshToken)")
            else { return (400, #"{"error":"invalid_grant"}"#) }
            state.issued += 1
            let token = state.repeated ?? "access-\(state.issued)"
            state.valid.insert(token)
            var next = ""
            if !isOwn, state.rotates {
                state.refreshToken = "refresh-\(state.issued)"
                next = #","refresh_token":"\#(state.refreshToken)""#
            }
            return (200, #"{"access_token":"\#(token)","token_type":"Bearer","expires_in":\#(state.lifetime)\#(next)}"#)
        }
    }

    private func receive(_ authorization: String?) -> (Int, String) {
        state.withLock { state in
            state.arrivals.append(authorization)
            guard let token = authorization?.split(separator: " ").last, state.valid.contains(String(token)) else {
                return (401, #"{"error":"token"}"#)
            }
            state.taken += 1
            return (200, #"{"result":"ok"}"#)
        }
    }

    private func read(_ connection: Int32) -> (head: String, body: String)? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            if let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) {
                let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
                let length =
                    head.lowercased().split(separator: "\r\n").first { $0.hasPrefix("content-length: ") }
                    .flatMap { Int($0.dropFirst(16)) } ?? 0
                let body = bytes[end.upperBound...]
                if body.count >= length { return (head, String(decoding: body, as: UTF8.self)) }
            }
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            bytes += buffer.prefix(count)
        }
    }
}
