import Foundation
import TestSupport
import Testing

/// A connection to a server under test on which a request is under way.
final class OpenRequest: Sendable {
    private let descriptor: Int32
    /// Whether the server has taken all that was sent.
    let isTaken: Bool

    /// Sends a text; returns early when the server takes no more.
    ///
    /// - Parameter isSmall: whether the system takes little of the reply before it is read.
    init(_ text: String, to bench: ServerBench, takingLittle isSmall: Bool = false) async throws {
        descriptor = try #require(LoopbackSocket.connect(to: .ipv4(bench.port), takingLittle: isSmall))
        let descriptor = descriptor
        isTaken = await Self.onThread {
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                let sent = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                guard sent > 0 else { return false }
                rest = rest.dropFirst(sent)
            }
            return true
        }
    }

    /// Sends a request that says it is longer than the bytes that come of it.
    convenience init(unending target: String, bytes count: Int, to bench: ServerBench) async throws {
        try await self.init(
            "POST \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: \(count + 1)\r\n\r\n"
                + String(repeating: " ", count: count), to: bench)
    }

    deinit { close(descriptor) }

    /// Sends more; what the connection does not take at once is lost.
    func sends(_ text: String) -> Bool {
        send(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL)) == text.utf8.count
    }

    /// What the server says until it ends the connection or a text has come.
    func reads(until end: String = "\u{0}") async -> String {
        let descriptor = descriptor
        return await Self.onThread {
            var answer = ""
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while !answer.contains(end) {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                guard count > 0 else { break }
                answer += String(decoding: buffer.prefix(count), as: UTF8.self)
            }
            return answer
        }
    }

    /// Whether the server has replied or ended the connection.
    var isAnswered: Bool {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) >= 0 || errno != EAGAIN
    }

    /// Blocking calls stay off the cooperative pool, on which the server runs, too.
    private static func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: body()) }
        }
    }
}
