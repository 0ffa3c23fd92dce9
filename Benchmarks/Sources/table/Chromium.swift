import Foundation

/// Debian's `chromium` without a window, driven through WebDriver (W3C).
final class Chromium: @unchecked Sendable {  // one task at a time has it
    private let driver = Process()
    private let port = 20_000 + Int.random(in: 0..<20_000)

    struct Failure: Error {
        let reply: String
    }

    /// `nil` where it is not installed.
    init?() async throws {
        let programs = ["/usr/bin/chromedriver", "/usr/bin/chromium"]
        guard programs.allSatisfy({ FileManager.default.isExecutableFile(atPath: $0) }) else { return nil }
        driver.executableURL = URL(fileURLWithPath: programs[0])
        driver.arguments = ["--port=\(port)"]
        driver.standardOutput = FileHandle.nullDevice
        driver.standardError = FileHandle.nullDevice
        try driver.run()
        while (try? call("GET", "/status")) == nil { try await Task.sleep(for: .milliseconds(100)) }  // not there yet
    }

    /// Loads a page in a browser of its own, which has no cache, waits until an expression is true, and returns what
    /// another one is worth.
    func value(of expression: String, when isReady: String, at address: String) throws -> Any {
        let arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,800"]
        let made = try call(
            "POST", "/session",
            ["capabilities": ["alwaysMatch": ["goog:chromeOptions": ["args": arguments]]]])
        guard let session = (made as? [String: Any])?["sessionId"] as? String else { throw Failure(reply: "\(made)") }
        let path = "/session/\(session)"
        defer { _ = try? call("DELETE", path) }  // the driver's end ends it, too
        _ = try call("POST", path + "/url", ["url": address])
        func evaluate(_ expression: String) throws -> Any {
            try call("POST", path + "/execute/sync", ["script": "return \(expression)", "args": [Any]()])
        }
        while try evaluate("Boolean(\(isReady))") as? Bool != true { Thread.sleep(forTimeInterval: 0.05) }
        return try evaluate(expression)
    }

    func stop() {
        kill(driver.processIdentifier, SIGKILL)  // it may have inherited that SIGTERM is blocked
        driver.waitUntilExit()
    }

    private func call(_ method: String, _ path: String, _ body: [String: Any]? = nil) throws -> Any {
        let text = try body.map { try JSONSerialization.data(withJSONObject: $0) } ?? Data()
        let head =
            "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(text.count)\r\n\r\n"
        let reply = try BlockingClient(port: port).ask(Array(head.utf8) + text)
        let answer = try JSONSerialization.jsonObject(with: Data(reply.body)) as? [String: Any]
        guard reply.status == 200, let value = answer?["value"] else {
            throw Failure(reply: String(decoding: reply.body, as: UTF8.self))
        }
        return value
    }
}
