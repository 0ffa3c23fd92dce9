import Foundation

/// A request's parts and replies as text, for servers of tests.
package enum HTTPText {
    package static func request(on connection: Int32) -> (head: String, target: String, body: [UInt8])? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            if let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) {
                let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
                let lines = head.split(separator: "\r\n")
                let length =
                    lines.first { $0.lowercased().hasPrefix("content-length: ") }
                    .flatMap { Int($0.dropFirst(16)) } ?? 0
                let parts = lines.first?.split(separator: " ") ?? []
                let body = Array(bytes[end.upperBound...])
                if body.count >= length, parts.count > 1 { return (head, String(parts[1]), body) }
            }
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            bytes += buffer.prefix(count)
        }
    }

    package static func reply(_ status: Int, _ body: String, on connection: Int32) {
        let bytes = Array(
            "HTTP/1.1 \(status) X\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)".utf8)
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard sent > 0 else { return }
            rest = rest.dropFirst(sent)
        }
    }

    /// Waits until the client has closed its side, or is gone.
    package static func waitForEnd(of connection: Int32) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while recv(connection, &buffer, buffer.count, 0) > 0 {}
    }
}
