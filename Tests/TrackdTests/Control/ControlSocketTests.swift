import Foundation
import Logging
import Synchronization
import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineSettings
import TrackEngineTestKit

/// A real server and real clients on a socket in a temporary folder.
@Suite struct ControlSocketTests {
    @Test func `a request reaches the handler, and parts and result come back in order`() async throws {
        try await withServer { request, part in
            #expect(request == .sync)
            for number in 1...3 { try await part(.number(Double(number))) }
            return .string("done")
        } body: { path, poller in
            let parts = Mutex<[Double]>([])
            let result = try await ask(.sync, path, poller) { part in
                parts.withLock { $0.append(part.number ?? -1) }
            }
            #expect(result == .string("done"))
            #expect(parts.withLock { $0 } == [1, 2, 3])
        }
    }

    @Test func `an answer of many megabytes arrives whole, whatever fits the socket's buffer`() async throws {
        let piece = String(repeating: "0123456789abcde\n", count: 4096)
        try await withServer { _, part in
            for _ in 0..<64 { try await part(.string(piece)) }
            return .null
        } body: { path, poller in
            let length = Mutex(0)
            _ = try await ask(.sync, path, poller) { part in
                length.withLock { $0 += part.string?.utf8.count ?? 0 }
            }
            #expect(length.withLock { $0 } == 64 * 65_536)
        }
    }

    @Test func `the handler's error reaches the client with its words`() async throws {
        try await withServer { _, _ in
            throw StoreError(.inputOutput, "the disk is gone")
        } body: { path, poller in
            await #expect(throws: ControlError(.failed, "inputOutput: the disk is gone")) {
                try await ask(.clear, path, poller)
            }
        }
    }

    @Test func `garbage gets an error, and the next client is served`() async throws {
        try await withServer { _, _ in
            .boolean(true)
        } body: { path, poller in
            let answer = try await exchange("\u{1}\u{2} hello\n", path, poller)
            #expect(answer?.contains(#""code":"malformed""#) == true)
            #expect(try await ask(.sync, path, poller) == .boolean(true))
        }
    }

    @Test func `a request without end is refused at the limit`() async throws {
        try await withServer { _, _ in
            .boolean(true)
        } body: { path, poller in
            let answer = try await exchange(
                String(repeating: "x", count: ControlRequest.longestLine + 1), path, poller)
            #expect(answer?.contains("at most 16384 bytes") == true)
        }
    }

    @Test func `silent clients do not keep others out for longer than their time`() async throws {
        var limits = ControlServer.Limits()
        limits.connections = 2
        limits.requestTime = .milliseconds(50)
        try await withServer(limits) { _, _ in
            .boolean(true)
        } body: { path, poller in
            let silent = try (0..<4).map { _ in try UnixSocket.connect(to: path) }
            // A slow machine may make this client, too, take longer than that for its request.
            await eventually("a client is served") { (try? await ask(.sync, path, poller)) == .boolean(true) }
            withExtendedLifetime(silent) {}
        }
    }

    @Test(arguments: [8, 100])
    func `clients that never ask do not keep others waiting`(_ count: Int) async throws {
        var limits = ControlServer.Limits()
        limits.requestTime = .seconds(600)
        try await withServer(limits) { _, _ in
            .boolean(true)
        } body: { path, poller in
            var silent: [Descriptor] = []
            for _ in 0..<count {
                silent.append(try UnixSocket.connect(to: path))
                #expect(try await ask(.sync, path, poller) == .boolean(true))
            }
            #expect(silent.count == count)
        }
    }

    @Test func `where every connection is being answered, the next one is served as soon as one has its answer`()
        async throws
    {
        var limits = ControlServer.Limits()
        limits.connections = 2
        limits.requestTime = .seconds(600)
        let (answers, gate) = AsyncStream.makeStream(of: Void.self)
        let asked = Mutex(0)
        try await withServer(limits) { request, _ in
            guard request == .sync else { return .boolean(true) }
            asked.withLock { $0 += 1 }
            for await _ in answers { break }
            return .boolean(true)
        } body: { path, poller in
            var busy: [LineStream] = []
            for _ in 0..<2 {
                let stream = LineStream(
                    try UnixSocket.connect(to: path), poller: poller, longestLine: ControlAnswer.longestLine)
                try await stream.write(ControlRequest.sync.line, within: .seconds(10))
                busy.append(stream)
            }
            await eventually("both are being answered") { asked.withLock { $0 } == 2 }
            async let third = ask(.clear, path, poller)
            gate.finish()
            #expect(try await third == .boolean(true))
            withExtendedLifetime(busy) {}
        }
    }

    @Test func `only the owner may use the socket, and enter its folder`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let path = folder + "/state/trackd.sock"
            let socket = try ControlSocket(path: path)
            #expect(permissions(path) == 0o600)
            #expect(permissions(folder + "/state") == 0o700)
            socket.remove()
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    @Test func `a folder that others may write to is refused`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            chmod(folder, 0o777)
            #expect(throws: ControlError.self) { try ControlSocket(path: folder + "/trackd.sock") }
        }
    }

    /// systemd's `DynamicUser=yes` makes `/var/lib/trackd` a link.
    @Test func `a private folder may be reached by a link`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            mkdir(folder + "/private", 0o700)
            symlink(folder + "/private", folder + "/linked")
            let socket = try ControlSocket(path: folder + "/linked/trackd.sock")
            #expect(permissions(folder + "/private/trackd.sock") == 0o600)
            socket.remove()
        }
    }

    @Test func `a socket that a crash left behind is replaced`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            chmod(folder, 0o700)
            let path = folder + "/trackd.sock"
            do { _ = try ControlSocket(path: path) }  // closed without being removed
            #expect(FileManager.default.fileExists(atPath: path))
            let socket = try ControlSocket(path: path)
            socket.remove()
        }
    }

    @Test func `a second agent is refused while one answers`() async throws {
        try await withServer { _, _ in
            .null
        } body: { path, _ in
            #expect {
                try ControlSocket(path: path)
            } throws: { error in
                (error as? ControlError)?.code == .busy
            }
        }
    }

    @Test func `a file that is no socket is left alone`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            chmod(folder, 0o700)
            let path = folder + "/trackd.sock"
            try Data("precious".utf8).write(to: URL(fileURLWithPath: path))
            #expect(throws: ControlError.self) { try ControlSocket(path: path) }
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
        }
    }

    @Test func `where nobody answers, the client says so`() async throws {
        let poller = try DescriptorPoller()
        defer { poller.shutDown() }
        await #expect {
            try await ControlClient(path: "/nonexistent/trackd.sock", poller: poller).send(.sync)
        } throws: { error in
            (error as? ControlError)?.code == .unavailable
        }
    }

    // MARK: Arranging

    private func withServer(
        _ limits: ControlServer.Limits = ControlServer.Limits(), handler: @escaping ControlServer.Handler,
        body: (String, DescriptorPoller) async throws -> Void
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            chmod(folder, 0o700)
            let poller = try DescriptorPoller()
            defer { poller.shutDown() }
            let socket = try ControlSocket(path: folder + "/trackd.sock")
            let server = ControlServer(
                socket, poller: poller, limits: limits, logger: Logger(label: "test"), handler: handler)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await server.run() }
                try await body(socket.path, poller)
                group.cancelAll()
            }
        }
    }

    /// Sends a request, with more patience than people have: many other tests run at the same time.
    private func ask(
        _ request: ControlRequest, _ path: String, _ poller: DescriptorPoller,
        part: (JSONValue) async throws -> Void = { _ in }
    ) async throws -> JSONValue {
        try await ControlClient(path: path, poller: poller).send(request, within: .seconds(60), part: part)
    }

    /// Sends raw text and answers the first line that comes back.
    private func exchange(_ text: String, _ path: String, _ poller: DescriptorPoller) async throws -> String? {
        var stream = LineStream(try UnixSocket.connect(to: path), poller: poller, longestLine: 65_536)
        try await stream.write(Array(text.utf8), within: .seconds(60))
        return try await stream.readLine(within: .seconds(60)).map { String(decoding: $0, as: UTF8.self) }
    }

    private func permissions(_ path: String) -> mode_t {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }
}
