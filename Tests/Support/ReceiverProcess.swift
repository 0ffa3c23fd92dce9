import Foundation
import Synchronization

/// A real HTTP receiver (`test-receiver`) on the loopback interface, which stores what it gets before it answers.
///
/// The path of a URL says how it behaves: `/ok`, `/status:503,status:503,ok`, `/lost-reply`; the list is in
/// `Tests/Receiver/Behaviour.swift`.
package final class ReceiverProcess: Sendable {
    /// Files for TLS, in PEM.
    package struct TLSFiles: Sendable {
        package var certificate: String
        package var key: String
        package var clientAuthority: String?

        package init(certificate: String, key: String, clientAuthority: String? = nil) {
            self.certificate = certificate
            self.key = key
            self.clientAuthority = clientAuthority
        }
    }

    package var port: Int { reserved.number }
    private let reserved: ReservedPort
    private let log: String
    private let tls: TLSFiles?
    private let process: Mutex<ChildProcess>

    /// Starts a receiver on a free port and waits until it listens.
    package init(log: String, tls: TLSFiles? = nil) async throws {
        reserved = try ReservedPort()
        let started = try Self.launch(port: reserved.number, log, tls)
        self.log = log
        self.tls = tls
        process = Mutex(started)
        try await Self.waitUntilItListens(started)
    }

    private static func launch(port: Int, _ log: String, _ tls: TLSFiles?) throws -> ChildProcess {
        var arguments = ["--port", "\(port)", "--log", log]
        if let tls { arguments += ["--tls-cert", tls.certificate, "--tls-key", tls.key] }
        if let authority = tls?.clientAuthority { arguments += ["--client-ca", authority] }
        return try ChildProcess(TestEnvironment.builtProduct("test-receiver"), arguments)
    }

    private static func waitUntilItListens(_ process: ChildProcess) async throws {
        try await process.ready { process.text.contains("listening on ") }
    }

    /// The address of a behaviour.
    package func url(_ path: String, host: String = "127.0.0.1") -> String {
        "\(tls == nil ? "http" : "https")://\(host):\(port)\(path)"
    }

    /// Ends the receiver at once, as a crash would.
    package func stop() {
        process.withLock { $0.killNow() }
    }

    /// Starts it again on the same port, with the same log.
    package func restart() async throws {
        stop()
        let next = try Self.launch(port: port, log, tls)
        process.withLock { $0 = next }
        try await Self.waitUntilItListens(next)
    }

    /// Sets what `/input` does from the next request on, also after a restart.
    package func setInput(_ script: String) throws {
        try script.write(toFile: log + ".input", atomically: true, encoding: .utf8)
    }
}

/// Why a receiver is of no use to a test.
package struct ReceiverError: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
}

// MARK: What it got

extension ReceiverProcess {
    /// A record as stored by the receiver.
    package struct StoredRecord: Sendable, Hashable {
        /// 1 for the first record of the log.
        package let arrival: Int
        /// The request that brought it.
        package let request: Int
        package let id: String
        /// The record as JSON with sorted members.
        package let json: String
    }

    /// A request that reached the receiver, stored or not.
    package struct SeenRequest: Sendable, Hashable {
        /// The sender's port: equal for the requests of one connection.
        package let client: Int
        package let method: String
        package let target: String
        /// Names in lower case.
        package let headers: [String: String]
        package let bodyBytes: Int
        /// FNV-1a of the body, to tell equal bodies.
        package let bodyHash: String
    }

    /// All records that the receiver has on its disk, in order of arrival.
    package func records() throws -> [StoredRecord] {
        try lines(of: "record").compactMap { line in
            guard let arrival = line["arrival"] as? Int, let request = line["request"] as? Int,
                let id = line["id"] as? String, let record = line["record"]
            else { return nil }
            let json = try JSONSerialization.data(withJSONObject: record, options: [.sortedKeys])
            return StoredRecord(
                arrival: arrival, request: request, id: id, json: String(decoding: json, as: UTF8.self))
        }
    }

    /// All requests that reached the receiver, in order of arrival.
    package func requests() throws -> [SeenRequest] {
        try lines(of: "request").compactMap { line in
            guard let client = line["client"] as? Int, let method = line["method"] as? String,
                let target = line["target"] as? String,
                let headers = line["headers"] as? [String: String], let bytes = line["bodyBytes"] as? Int,
                let hash = line["bodyHash"] as? String
            else { return nil }
            return SeenRequest(
                client: client, method: method, target: target, headers: headers, bodyBytes: bytes, bodyHash: hash)
        }
    }

    /// The log as it is.
    package func logText() throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: log)), as: UTF8.self)
    }

    /// Complete lines of a kind; a line that a kill cut short was never answered and does not count.
    private func lines(of kind: String) throws -> [[String: Any]] {
        let text = try Data(contentsOf: URL(fileURLWithPath: log))
        let complete = text[..<(text.lastIndex(of: UInt8(ascii: "\n")) ?? text.startIndex)]
        return complete.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let object = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]  // cut short by a kill
            return object?["kind"] as? String == kind ? object : nil
        }
    }
}
