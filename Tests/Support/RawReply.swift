import Foundation

/// A reply of an HTTP server of this machine as it came over the wire, to a request that is written as a test wants it.
package struct RawReply: Sendable {
    package let status: Int
    package let head: String
    /// What came behind the head.
    package let bytes: [UInt8]

    /// What came behind the head, as text.
    package var body: String { String(decoding: bytes, as: UTF8.self) }

    /// The body of a reply with `Transfer-Encoding: chunked`.
    package var unchunked: [UInt8] {
        var (body, rest): ([UInt8], ArraySlice<UInt8>) = ([], bytes[...])
        while let end = rest.firstRange(of: [13, 10]),
            let count = Int(String(decoding: rest[..<end.lowerBound], as: UTF8.self), radix: 16), count > 0
        {
            body += rest[end.upperBound...].prefix(count)
            rest = rest[end.upperBound...].dropFirst(count + 2)
        }
        return body
    }

    /// Sends a request and reads the whole reply.
    ///
    /// - Parameter fields: header fields besides `Host`, `Connection` and `Content-Length`, which are added; an empty value
    ///   leaves one out.
    package static func to(
        _ method: String, _ target: String, _ fields: [String: String] = [:], body: String = "", at port: Int
    ) async -> RawReply {
        await to(method, target, fields, body: Array(body.utf8), at: port)
    }

    /// Sends a request with a body that is no text and reads the whole reply.
    package static func to(
        _ method: String, _ target: String, _ fields: [String: String] = [:], body: [UInt8], at port: Int
    ) async -> RawReply {
        var all = ["Host": "127.0.0.1:\(port)", "Connection": "close"]
        if !body.isEmpty || method != "GET" { all["Content-Length"] = String(body.count) }
        all.merge(fields) { $1 }
        let lines = all.sorted { $0.key < $1.key }.filter { !$0.value.isEmpty }.map { "\($0.key): \($0.value)\r\n" }
        return await to(Array("\(method) \(target) HTTP/1.1\r\n\(lines.joined())\r\n".utf8) + body, at: port)
    }

    /// Sends a text as it is and reads the whole reply.
    package static func to(_ text: String, at port: Int) async -> RawReply { await to(Array(text.utf8), at: port) }

    /// Sends a text as it is to an address of this machine and reads the whole reply.
    package static func to(_ text: String, at address: LoopbackSocket.Address) async -> RawReply {
        await to(Array(text.utf8), at: address)
    }

    private static func to(_ request: [UInt8], at port: Int) async -> RawReply { await to(request, at: .ipv4(port)) }

    private static func to(_ request: [UInt8], at address: LoopbackSocket.Address) async -> RawReply {
        let answer = await withCheckedContinuation { continuation in
            // Blocking calls stay off the cooperative pool, and a queue has as few threads as the machine has cores.
            Thread.detachNewThread { continuation.resume(returning: exchange(request, at: address)) }
        }
        let end = answer.firstRange(of: Array("\r\n\r\n".utf8))
        let head = String(decoding: answer[..<(end?.lowerBound ?? answer.count)], as: UTF8.self) + "\r\n"
        let status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return RawReply(status: status, head: head, bytes: end.map { Array(answer[$0.upperBound...]) } ?? [])
    }

    private static func exchange(_ request: [UInt8], at address: LoopbackSocket.Address) -> [UInt8] {
        guard let descriptor = LoopbackSocket.connect(to: address) else { return [] }
        defer { close(descriptor) }
        var rest = request[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard sent > 0 else { break }  // the server may have answered and closed already
            rest = rest.dropFirst(sent)
        }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return answer }
            answer += buffer.prefix(count)
            if isWhole(answer) { return answer }
        }
    }

    /// Whether the reply says how long its body is, and so much is there: some servers do not close when they are asked to.
    private static func isWhole(_ answer: [UInt8]) -> Bool {
        guard let end = answer.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else { return false }
        let head = String(decoding: answer[..<end], as: UTF8.self).lowercased()
        let field = head.split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
        let length = field.flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) }
        return length.map { answer.count - end >= $0 } ?? false
    }
}
