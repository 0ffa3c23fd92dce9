import Foundation
import Synchronization

/// A server on the loopback interface that answers every request with bytes of the test's choice and then closes the
/// connection, or keeps it open in silence.
final class RawServer: Sendable {
    let port: Int
    private let descriptor: Int32
    private let reply: Mutex<(bytes: [UInt8], closes: Bool)>
    private let open = Mutex<Set<Int32>>([])
    private let ended = Mutex(false)

    init(_ bytes: [UInt8] = [], closes: Bool = true) throws {
        reply = Mutex((bytes, closes))
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, pointer, &length) == 0
            }
        }
        guard isListening else { throw CocoaError(.featureUnsupported) }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { self.serve() }
    }

    var url: String { "http://127.0.0.1:\(port)/input" }

    /// What the next requests are answered with.
    func answer(with bytes: [UInt8], closes: Bool = true) { reply.withLock { $0 = (bytes, closes) } }

    /// Ends it, and connections that were kept open.
    func stop() {
        ended.withLock { $0 = true }
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    private func serve() {
        var kept: [Int32] = []
        while true {
            let connection = accept(descriptor, nil, nil)
            guard connection >= 0 else {
                if errno == EINTR || errno == ECONNABORTED, !ended.withLock({ $0 }) { continue }
                break
            }
            let (bytes, closes) = reply.withLock { $0 }
            readRequest(connection)
            write(bytes, to: connection)
            if closes {
                shutdown(connection, Int32(SHUT_WR))
                close(connection)
            } else {
                kept.append(connection)
            }
        }
        for connection in kept { close(connection) }
        close(descriptor)
    }

    /// Reads a request with its body, so that closing sends no reset before the reply is read.
    private func readRequest(_ connection: Int32) {
        var timeout = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < 1 << 20 {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            bytes += buffer.prefix(count)
            let text = String(decoding: bytes, as: UTF8.self)
            guard let head = text.range(of: "\r\n\r\n") else { continue }
            let field = text[..<head.lowerBound].lowercased().range(of: "content-length: ")
            let length = field.flatMap { Int(text[$0.upperBound...].prefix { $0.isNumber }) } ?? 0
            if text[head.upperBound...].utf8.count >= length { return }
        }
    }

    private func write(_ bytes: [UInt8], to connection: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard sent > 0 else { return }
            rest = rest.dropFirst(sent)
        }
    }
}
