import Foundation
import TestSupport
import Testing
import TortureKit
import TrackEngine
import TrackEngineSettings
import TrackEngineTestKit

/// `trackd miataru …` that is killed with SIGKILL: the next command works, and the server wants no key that nobody has.
@Suite(.timeLimit(.minutes(30))) struct SharingKillTests {
    private static let old = "7B8E6F0A-1111-4222-8333-ABCDEF012345"

    /// The commands, each with the key that is set before it.
    static let commands: [(arguments: [String], key: String?)] = [
        (["key", "set"], nil), (["key", "rotate"], "OLD-KEY"), (["allow", "add", "FRIEND"], "OLD-KEY"),
        (["id", "--reset", "--yes"], "OLD-KEY"),
    ]

    /// A server, and the folder of an agent whose sink shares its place there.
    private struct Scene {
        let folder: String
        let server: SharingServer

        init(_ folder: String, key: String?, hasID: Bool = true) throws {
            self.folder = folder
            server = try SharingServer()
            try FileManager.default.createDirectory(
                atPath: folder + "/state/miataru", withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try RunningAgent.write(
                """
                sources: []
                store: {path: \(folder)/state}
                sinks: [{type: miataru, url: "http://127.0.0.1:\(server.port.number)", httpTimeout: 600000}]
                """, folder)
            guard hasID else { return }
            let kept = #"{"id":"\#(old)""# + (key.map { #","key":"\#($0)""# } ?? "") + "}"
            let isWritten = FileManager.default.createFile(
                atPath: identity, contents: Data(kept.utf8), attributes: [.posixPermissions: 0o600])
            #expect(isWritten)
            server.state.withLock { $0.devices[old] = SharingServer.Device(key: key) }
        }

        private var identity: String { folder + "/state/miataru/miataru.json" }

        /// What is kept of the identity.
        func kept() throws -> JSONValue { try JSONValue.parse(Array(Data(contentsOf: URL(filePath: identity)))) }

        /// Begins `trackd miataru` with arguments.
        func begin(_ arguments: [String], _ environment: [String: String] = [:]) throws -> ChildProcess {
            try ChildProcess(
                TestEnvironment.builtProduct("trackd"),
                ["miataru"] + arguments + ["--config", folder + "/trackd.yaml"], environment: environment)
        }

        /// Runs `trackd miataru` with arguments, under the shim that counts the changes of files, or kills at one of them.
        func run(_ arguments: [String], shim: String, killedAt change: Int? = nil) async throws -> Int32? {
            var environment = [
                "LD_PRELOAD": shim, "TORTURE_DIR": folder + "/state", "TORTURE_COUNT": folder + "/count",
            ]
            if let change { environment["TORTURE_FAULT"] = "kill:\(change):1" }
            return await (try begin(arguments, environment)).exit()
        }

        /// How many changes of files a run under the shim has made.
        func changes() throws -> Int {
            let text = try String(contentsOfFile: folder + "/count", encoding: .utf8)
            return try #require(text.split(separator: " ").first.flatMap { Int($0) }, "\(text)")
        }

        /// Kills a command while it waits for the reply to a call.
        func kill(_ arguments: [String], at call: Int, isCarriedOut: Bool) async throws {
            server.state.withLock { $0.unanswered = .init(call: call, isCarriedOut: isCarriedOut) }
            let command = try begin(arguments)
            await eventually(
                "\(arguments) waits at call \(call), it printed: \(command.text)", from: command
            ) {
                server.state.withLock { $0.isWaiting }
            }
            command.killNow()
            #expect(command.exitCode == -SIGKILL)
            await eventually("the server has lost it") { server.state.withLock { !$0.isWaiting } }
        }

        /// Whether the same command and one that needs the key work now.
        func expectWorking(_ arguments: [String], _ moment: String) async throws {
            for next in [arguments, ["allow", "add", "NEXT"]] {
                let command = try begin(next)
                let code = await command.exit()
                #expect(code == 0, "\(next) after a kill \(moment): \(command.text)")
            }
            let kept = try kept()
            let id = try #require(kept["id"]?.string)
            let device = try #require(server.state.withLock { $0.devices[id] }, "\(moment)")
            #expect(kept["key"]?.string == device.key && kept["newKey"] == nil, "\(moment)")
            #expect(arguments[0] != "key" || ![nil, "OLD-KEY"].contains(device.key), "\(moment)")
            #expect(device.allowed.contains("NEXT") && device.allowed.contains(id), "\(moment)")
            #expect((id == SharingKillTests.old) == (arguments[0] != "id"), "\(moment)")
            server.stop()
        }
    }

    @Test(arguments: commands.indices)
    func `after a kill at any change of a file the next command works`(_ index: Int) async throws {
        let (arguments, key) = Self.commands[index]
        try await TortureBench.with(seed: 1, program: "") { bench in
            func run(at change: Int?) async throws -> Int {
                try await bench.withFolder { folder in
                    let scene = try Scene(folder, key: key)
                    let code = try await scene.run(arguments, shim: bench.shim, killedAt: change)
                    #expect(code == (change == nil ? 0 : -SIGKILL))
                    try await scene.expectWorking(arguments, "at change \(change ?? 0) of \(arguments)")
                    return change == nil ? try scene.changes() : 0
                }
            }
            let changes = try await run(at: nil)
            // A lock, and for each state that is kept a file, its bytes, their sync, its name and the folder's sync.
            #expect(changes >= ["key": 11, "id": 6, "allow": 0][arguments[0]] ?? 1)
            for change in stride(from: 1, through: changes, by: 1) { _ = try await run(at: change) }
        }
    }

    @Test(arguments: commands.indices, [false, true])
    func `after a kill during any call to the server the next command works`(_ index: Int, _ isCarriedOut: Bool)
        async throws
    {
        let (arguments, key) = Self.commands[index]
        let calls = ["key": 1, "allow": 2][arguments[0]] ?? 0
        for call in 0..<calls {
            try await TestEnvironment.withTemporaryDirectory { folder in
                let scene = try Scene(folder, key: key)
                try await scene.kill(arguments, at: call, isCarriedOut: isCarriedOut)
                try await scene.expectWorking(
                    arguments, "in call \(call) of \(arguments), carried out: \(isCarriedOut)")
            }
        }
    }

    @Test(arguments: [0, 1], [false, true])
    func `a kill of the command that comes after a kill does no harm either`(_ call: Int, _ isCarriedOut: Bool)
        async throws
    {
        // Only where the server has the new key there is a second call, made as one that has it.
        for wasCarriedOut in [false, true] where wasCarriedOut || call == 0 {
            try await TestEnvironment.withTemporaryDirectory { folder in
                let scene = try Scene(folder, key: "OLD-KEY")
                try await scene.kill(["key", "rotate"], at: 0, isCarriedOut: wasCarriedOut)
                try await scene.kill(["key", "rotate"], at: call, isCarriedOut: isCarriedOut)
                try await scene.expectWorking(["key", "rotate"], "in call \(call) after another kill")
            }
        }
    }
}
