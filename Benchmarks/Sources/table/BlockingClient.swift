import Foundation

/// One connection that asks and waits, as a phone does.
final class BlockingClient: Sendable {
    private let descriptor: Int32

    /// Connects to a port of this machine.
    init(port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }

    deinit { close(descriptor) }

    /// Sends a request; returns the reply's status and the length of its body.
    func ask(_ request: [UInt8]) -> (status: Int, bytes: Int) {
        var rest = request[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            precondition(sent > 0, "the connection is closed")
            rest = rest.dropFirst(sent)
        }
        var reply: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 262_144)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            precondition(count > 0, "the connection is closed")
            reply += buffer.prefix(count)
            if let reply = Self.whole(reply) { return reply }
        }
    }

    /// Status and length, when all of a reply is there.
    private static func whole(_ reply: [UInt8]) -> (status: Int, bytes: Int)? {
        guard let end = reply.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let head = String(decoding: reply[..<end.lowerBound], as: UTF8.self).lowercased()
        let status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        let body = reply[end.upperBound...]
        if head.contains("transfer-encoding: chunked") {
            return body.suffix(5).elementsEqual("0\r\n\r\n".utf8) ? (status, body.count) : nil
        }
        let field = head.split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
        let length = field.flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
        return body.count >= length ? (status, length) : nil
    }
}
