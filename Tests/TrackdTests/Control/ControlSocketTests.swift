import Foundation
import Logging
import NIOCore
import NIOPosix
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
        } body: { path, loop in
            let parts = Mutex<[Double]>([])
            let result = try await ask(.sync, path, loop) { part in
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
        } body: { path, loop in
            let length = Mutex(0)
            _ = try await ask(.sync, path, loop) { part in
                length.withLock { $0 += part.string?.utf8.count ?? 0 }
            }
            #expect(length.withLock { $0 } == 64 * 65_536)
        }
    }

    @Test func `the handler's error reaches the client with its words`() async throws {
        try await withServer { _, _ in
            throw StoreError(.inputOutput, "the disk is gone")
        } body: { path, loop in
            await #expect(throws: ControlError(.failed, "inputOutput: the disk is gone")) {
                try await ask(.clear, path, loop)
            }
        }
    }

    @Test func `garbage gets an error, and the next client is served`() async throws {
        try await withServer { _, _ in
            .boolean(true)
        } body: { path, loop in
            let answer = try await exchange("\u{1}\u{2} hello\n", path, loop)
            #expect(answer?.contains(#""code":"malformed""#) == true)
            #expect(try await ask(.sync, path, loop) == .boolean(true))
        }
    }

    @Test func `a request without end is refused at the limit`() async throws {
        try await withServer { _, _ in
            .boolean(true)
        } body: { path, loop in
            let answer = try await exchange(
                String(repeating: "x", count: ControlRequest.longestLine + 1), path, loop)
            #expect(answer?.contains("at most 16384 bytes") == true)
        }
    }

    @Test func `silent clients do not keep others out for longer than their time`() async throws {
        var limits = ControlServer.Limits()
        limits.connections = 2
        limits.requestTime = .milliseconds(50)
        try await withServer(limits) { _, _ in
            .boolean(true)
        } body: { path, loop in
            for _ in 0..<4 { _ = try await connect(path, loop) }
            // A slow machine may make this client, too, take longer than that for its request.
            await eventually("a client is served") { (try? await ask(.sync, path, loop)) == .boolean(true) }
        }
    }

    @Test(arguments: [8, 100])
    func `clients that never ask do not keep others waiting`(_ count: Int) async throws {
        var limits = ControlServer.Limits()
        limits.requestTime = .seconds(600)
        try await withServer(limits) { _, _ in
            .boolean(true)
        } body: { path, loop in
            for _ in 0..<count {
                _ = try await connect(path, loop)
                #expect(try await ask(.sync, path, loop) == .boolean(true))
            }
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
        } body: { path, loop in
            for _ in 0..<2 { try await connect(path, loop).write(ControlRequest.sync.line, within: .seconds(60)) }
            await eventually("both are being answered") { asked.withLock { $0 } == 2 }
            async let third = ask(.clear, path, loop)
            gate.finish()
            #expect(try await third == .boolean(true))
        }
    }

    @Test func `a client that takes nothing of its answer ends after its time, and no more is made for it`()
        async throws
    {
        var limits = ControlServer.Limits()
        limits.answerTime = .milliseconds(50)
        let piece = JSONValue.string(String(repeating: "x", count: 65_536))
        let parts = Mutex(0)
        let failures = Mutex(0)
        try await withServer(limits) { request, part in
            guard request == .sync else { return .boolean(true) }
            do {
                for _ in 0..<1000 {
                    parts.withLock { $0 += 1 }
                    try await part(piece)
                }
            } catch {
                failures.withLock { $0 += 1 }
                throw error
            }
            return .null
        } body: { path, loop in
            try await connect(path, loop).write(ControlRequest.sync.line, within: .seconds(60))
            await eventually("the answer is given up") { failures.withLock { $0 } == 1 }
            #expect(parts.withLock { $0 } < 100)
            await eventually("a client is served") { (try? await ask(.clear, path, loop)) == .boolean(true) }
        }
    }

    @Test func `only the owner may use the socket, and enter its folder`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let path = folder + "/state/trackd.sock"
            try await withLoop { loop in
                let socket = try await ControlSocket(path: path, on: loop)
                #expect(permissions(path) == 0o600)
                #expect(permissions(folder + "/state") == 0o700)
                socket.remove()
                #expect(!FileManager.default.fileExists(atPath: path))
            }
        }
    }

    @Test func `a folder that others may write to is refused`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            chmod(folder, 0o777)
            await refuses(folder + "/trackd.sock", with: .unavailable)
        }
    }

    /// systemd's `DynamicUser=yes` makes `/var/lib/trackd` a link.
    @Test func `a private folder may be reached by a link`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            mkdir(folder + "/private", 0o700)
            symlink(folder + "/private", folder + "/linked")
            try await withLoop { loop in
                let socket = try await ControlSocket(path: folder + "/linked/trackd.sock", on: loop)
                #expect(permissions(folder + "/private/trackd.sock") == 0o600)
                socket.remove()
            }
        }
    }

    @Test func `a socket that a crash left behind is replaced`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            chmod(folder, 0o700)
            let path = folder + "/trackd.sock"
            // The end of its event loop closes the socket without removing it.
            try await withLoop { _ = try await ControlSocket(path: path, on: $0) }
            #expect(FileManager.default.fileExists(atPath: path))
            try await withLoop { try await ControlSocket(path: path, on: $0).remove() }
        }
    }

    @Test func `the end of a socket leaves alone what has taken its place`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            chmod(folder, 0o700)
            let path = folder + "/trackd.sock"
            try await withLoop { loop in
                let first = try await ControlSocket(path: path, on: loop)
                unlink(path)
                let second = try await ControlSocket(path: path, on: loop)
                first.remove()
                try await connect(path, loop).close()
                second.remove()
            }
        }
    }

    @Test func `a second agent is refused while one answers`() async throws {
        try await withServer { _, _ in
            .null
        } body: { path, _ in
            await refuses(path, with: .busy)
        }
    }

    /// A socket that is bound and does not listen yet refuses connections, as one that was left behind.
    @Test func `while another agent takes a socket in the folder, none is taken or removed`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            chmod(folder, 0o700)
            let path = folder + "/trackd.sock"
            try await withLoop { _ = try await ControlSocket(path: path, on: $0) }
            let lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            try #require(flock(lock, LOCK_EX) == 0)
            try await withLoop { loop in
                await #expect {
                    try await ControlSocket(path: path, on: loop, patience: .milliseconds(30))
                } throws: { error in
                    (error as? ControlError)?.code == .busy
                }
                #expect(FileManager.default.fileExists(atPath: path))
                close(lock)
                try await ControlSocket(path: path, on: loop).remove()
            }
        }
    }

    @Test func `of agents that start at once, one has the socket and answers there`() async throws {
        for _ in 0..<20 {
            try await TestEnvironment.withTemporaryDirectory { folder in
                chmod(folder, 0o700)
                let path = folder + "/trackd.sock"
                try await withLoop { _ = try await ControlSocket(path: path, on: $0) }
                try await withLoop { loop in
                    let sockets = await withTaskGroup(of: ControlSocket?.self) { group in
                        for _ in 0..<4 {
                            group.addTask {
                                // That it fails is what three of them are to do.
                                try? await ControlSocket(path: path, on: loop, patience: .seconds(60))
                            }
                        }
                        return await group.reduce(into: [ControlSocket]()) { if let socket = $1 { $0.append(socket) } }
                    }
                    #expect(sockets.count == 1)
                    try await connect(path, loop).close()
                    for socket in sockets { socket.remove() }
                }
            }
        }
    }

    @Test func `a file that is no socket is left alone`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            chmod(folder, 0o700)
            let path = folder + "/trackd.sock"
            try Data("precious".utf8).write(to: URL(fileURLWithPath: path))
            await refuses(path, with: .unavailable)
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
        }
    }

    @Test func `where nobody answers, the client says so`() async throws {
        try await withLoop { loop in
            await #expect {
                try await ControlClient(path: "/nonexistent/trackd.sock", on: loop).send(.sync)
            } throws: { error in
                (error as? ControlError)?.code == .unavailable
            }
        }
    }

    // MARK: Arranging

    private func withLoop(_ body: (any EventLoopGroup) async throws -> Void) async throws {
        try await MultiThreadedEventLoopGroup.withEventLoopGroup(numberOfThreads: 1) { try await body($0) }
    }

    private func withServer(
        _ limits: ControlServer.Limits = ControlServer.Limits(), handler: @escaping ControlServer.Handler,
        body: (String, any EventLoopGroup) async throws -> Void
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            chmod(folder, 0o700)
            try await withLoop { loop in
                let socket = try await ControlSocket(path: folder + "/trackd.sock", on: loop)
                let server = ControlServer(socket, limits: limits, logger: Logger(label: "test"), handler: handler)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { await server.run() }
                    try await body(socket.path, loop)
                    group.cancelAll()
                }
            }
        }
    }

    private func refuses(_ path: String, with code: ControlError.Code) async {
        await #expect {
            try await ControlSocket(path: path, on: .singletonMultiThreadedEventLoopGroup)
        } throws: { error in
            (error as? ControlError)?.code == code
        }
    }

    /// A connection that asks nothing by itself; it ends with its event loop.
    private func connect(_ path: String, _ loop: any EventLoopGroup) async throws -> LineConnection {
        try await UnixSocket.connect(to: path, on: loop, longestLine: ControlReplyLine.longestLine)
    }

    /// Sends a request, with more patience than people have: many other tests run at the same time.
    private func ask(
        _ request: ControlRequest, _ path: String, _ loop: any EventLoopGroup,
        part: (JSONValue) async throws -> Void = { _ in }
    ) async throws -> JSONValue {
        try await ControlClient(path: path, on: loop).send(request, within: .seconds(60), part: part)
    }

    /// Sends raw text and answers the first line that comes back.
    private func exchange(_ text: String, _ path: String, _ loop: any EventLoopGroup) async throws -> String? {
        let connection = try await connect(path, loop)
        try await connection.write(Array(text.utf8), within: .seconds(60))
        return try await connection.readLine(within: .seconds(60)).map { String(decoding: $0, as: UTF8.self) }
    }

    private func permissions(_ path: String) -> mode_t {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }
}
