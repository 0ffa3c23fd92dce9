import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// A real browser without a window, driven through WebDriver (W3C): Debian's `chromium` and `chromium-driver`.
final class Browser: Sendable {
    /// Whether both are there.
    static let isInstalled = ["/usr/bin/chromedriver", "/usr/bin/chromium"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    private let driver: ChildProcess
    private let port: ReservedPort
    private let session: String

    /// Opens a window of a size, in light or dark colours.
    init(width: Int, height: Int, isDark: Bool = false) async throws {
        let port = try ReservedPort()
        driver = try ChildProcess("/usr/bin/chromedriver", ["--port=\(port.number)"])
        self.port = port
        await eventually("chromedriver answers") {
            await RawReply.to("GET", "/status", at: port.number).status == 200
        }
        var arguments = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=\(width),\(height)",
        ]
        if isDark { arguments.append("--blink-settings=preferredColorScheme=0") }
        let options = JSONValue.object([.init("args", .array(arguments.map { .string($0) }))])
        let wanted = JSONValue.object([
            .init("capabilities", .object([.init("alwaysMatch", .object([.init("goog:chromeOptions", options)]))]))
        ])
        let made = try await Self.call("POST", "/session", wanted, at: port)
        session = try #require(made["sessionId"]?.string)
    }

    /// Loads a page.
    func open(_ address: String) async throws {
        _ = try await call("POST", "/url", .object([.init("url", .string(address))]))
    }

    /// What an expression of JavaScript is worth.
    func value(_ expression: String) async throws -> JSONValue {
        try await call(
            "POST", "/execute/sync",
            .object([.init("script", .string("return \(expression)")), .init("args", .array([]))]))
    }

    /// Waits until an expression is true.
    func waits(for expression: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await eventually("\(expression)", sourceLocation: sourceLocation) {
            try await value("Boolean(\(expression))") == .boolean(true)
        }
    }

    /// Writes what the window shows to `.build/screens`, for people; returns the picture's size in bytes.
    @discardableResult
    func photograph(_ name: String, file: StaticString = #filePath) async throws -> Int {
        let picture = try await call("GET", "/screenshot", nil)
        let bytes = try #require(picture.string.flatMap { Data(base64Encoded: $0) })
        let root = URL(fileURLWithPath: "\(file)").deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let folder = root.appendingPathComponent(".build/screens")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try bytes.write(to: folder.appendingPathComponent("\(name).png"))
        return bytes.count
    }

    /// Closes the window and ends the driver.
    func close() async {
        _ = try? await call("DELETE", "", nil)  // the driver ends it, too
        driver.send(SIGTERM)
        await eventually("chromedriver ends") { driver.exitCode != nil }
    }

    private func call(_ method: String, _ path: String, _ body: JSONValue?) async throws -> JSONValue {
        try await Self.call(method, "/session/\(session)\(path)", body, at: port)
    }

    private static func call(
        _ method: String, _ path: String, _ body: JSONValue?, at port: ReservedPort
    ) async throws -> JSONValue {
        var writer = JSONWriter()
        body?.write(to: &writer)
        let reply = await RawReply.to(
            method, path, ["Content-Type": "application/json"], body: String(decoding: writer.bytes, as: UTF8.self),
            at: port.number)
        let answer = try JSONValue.parse(Array(reply.body.utf8))
        try #require(reply.status == 200, "\(method) \(path): \(reply.body)")
        return answer["value"] ?? .null
    }
}
