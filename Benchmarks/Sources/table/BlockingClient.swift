import Foundation

/// One connection that asks and waits, as a phone does; a new one where the other side has closed it.
///
/// For one thread at a time.
final class BlockingClient: @unchecked Sendable {  // the descriptor changes in `ask` only
    private let port: Int
    private var descriptor: Int32

    /// Connects to a port of this machine.
    init(port: Int) throws {
        self.port = port
        descriptor = try Self.connection(to: port)
    }

    deinit { close(descriptor) }

    private static func connection(to port: Int) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
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
        return descriptor
    }

    /// A reply.
    struct Reply {
        let status: Int
        /// As it came: compressed and in chunks, perhaps.
        let body: [UInt8]
        fileprivate let closes: Bool
    }

    /// Sends a request; returns the reply.
    func ask(_ request: [UInt8]) -> Reply {
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
            guard let reply = Self.whole(reply) else { continue }
            if reply.closes {
                close(descriptor)
                do { descriptor = try Self.connection(to: port) } catch { preconditionFailure("\(error)") }
            }
            return reply
        }
    }

    /// The reply, when all of it is there.
    private static func whole(_ reply: [UInt8]) -> Reply? {
        guard let end = reply.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let head = String(decoding: reply[..<end.lowerBound], as: UTF8.self).lowercased()
        let status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        let body = reply[end.upperBound...]
        let isWhole: Bool
        if head.contains("transfer-encoding: chunked") {
            isWhole = body.suffix(5).elementsEqual("0\r\n\r\n".utf8)
        } else {
            let field = head.split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
            isWhole = body.count >= field.flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
        }
        return isWhole
            ? Reply(
                status: status, body: Array(body),
                closes: head.contains("connection: close")
                    || head.hasPrefix("http/1.0") && !head.contains("connection: keep-alive"))
            : nil
    }
}
