import Foundation
import Synchronization
import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineSettings
import TrackEngineTestKit

/// What an account makes of a server that fails in the middle, and of what is kept.
@Suite(.timeLimit(.minutes(30))) struct SharingAccountTests {
    /// The account of a sink named `miataru`, and the file in which its identity is kept.
    private func withAccount(_ body: (any SharingAccount, SharingServer, String) async throws -> Void) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let server = try SharingServer()
            let configuration = try Given.configuration(
                "sinks: [{type: miataru, url: 'http://127.0.0.1:\(server.port.number)'}]")
            var context = PluginContext.sample()
            context.stateDirectory = folder
            let sink = try #require(configuration.sinks.first)
            let account = try #require(try sink.sharingAccount(context))
            try await body(account, server, folder + "/miataru/miataru.json")
            await account.close()
            server.stop()
        }
    }

    private func kept(_ path: String) throws -> JSONValue {
        try JSONValue.parse(Array(try Data(contentsOf: URL(filePath: path))))
    }

    private func failure(_ account: any SharingAccount, _ request: SharingRequest) async -> String? {
        do throws(SharingError) {
            _ = try await account.perform(request)
            return nil
        } catch { return error.description }
    }

    @Test(arguments: ["", String(repeating: "x", count: 257), "a\u{7}b"])
    func `a key that no server takes changes nothing`(_ key: String) async throws {
        try await withAccount { account, server, path in
            _ = try await account.identity()
            let before = try kept(path)
            expectMessage(await failure(account, .setKey(Secret(key))))
            let kept1 = try kept(path)
            #expect(kept1 == before)
            #expect(server.state.withLock { $0.calls.isEmpty })
        }
    }

    @Test func `a key that the server has, and nobody was told, is not forgotten`() async throws {
        try await withAccount { account, server, path in
            server.state.withLock { $0.spoiled = [503] }
            #expect(await failure(account, .setKey(Secret("FIRST"))) != nil)
            let kept2 = try kept(path)
            #expect(kept2["newKey"]?.string == "FIRST")
            #expect(server.state.withLock { $0.key } == "FIRST")
            // Another one is wanted while the server says nothing useful.
            server.state.withLock { $0.refused = [503] }
            #expect(await failure(account, .setKey(Secret("SECOND"))) != nil)
            let kept3 = try kept(path)
            #expect(kept3["newKey"]?.string == "FIRST")
            #expect(await failure(account, .setKey(Secret("SECOND"))) == nil)
            let kept4 = try kept(path)
            #expect(kept4["key"]?.string == "SECOND")
            #expect(server.state.withLock { $0.key } == "SECOND")
        }
    }

    @Test func `a key that the server has not taken gives way to another`() async throws {
        try await withAccount { account, server, path in
            server.state.withLock { $0.refused = [503] }
            #expect(await failure(account, .setKey(Secret("FIRST"))) != nil)
            #expect(await failure(account, .setKey(Secret("SECOND"))) == nil)
            let kept5 = try kept(path)
            #expect(kept5["key"]?.string == "SECOND")
        }
    }

    /// A firewall before the server answers 403 as well.
    @Test func `a refusal of both keys forgets neither`() async throws {
        try await withAccount { account, server, path in
            server.state.withLock { $0.spoiled = [503] }
            #expect(await failure(account, .setKey(Secret("FIRST"))) != nil)
            server.state.withLock { $0.refused = [403, 403] }
            #expect(await failure(account, .setKey(Secret("SECOND"))) != nil)
            let between = try kept(path)
            #expect(between["newKey"]?.string == "FIRST")
            #expect(await failure(account, .setKey(Secret("SECOND"))) == nil)
            let after = try kept(path)
            #expect(after["key"]?.string == "SECOND" && after["newKey"] == nil)
            #expect(server.state.withLock { $0.key } == "SECOND")
        }
    }

    @Test func `a key that the server refuses as such gives way to another`() async throws {
        try await withAccount { account, server, _ in
            server.state.withLock { $0.refused = [400, 400] }
            #expect(await failure(account, .setKey(Secret("FIRST"))) != nil)
            #expect(await failure(account, .setKey(Secret("SECOND"))) == nil)
            #expect(server.state.withLock { $0.key } == "SECOND")
        }
    }

    @Test func `the key of an id that was taken over is set at the first time`() async throws {
        try await withAccount { account, server, path in
            server.state.withLock { $0.devices["OTHER"] = .init(key: "KEY") }
            #expect(await failure(account, .adopt(Secret("OTHER"))) == nil)
            #expect(await failure(account, .setKey(Secret("KEY"))) == nil)
            let after = try kept(path)
            #expect(after["key"]?.string == "KEY" && after["id"]?.string == "OTHER")
        }
    }

    @Test func `a list that is ended holds nobody, not even the own id`() async throws {
        try await withAccount { account, server, _ in
            let id = try await account.identity().id.revealed
            #expect(await failure(account, .allow(id: Secret("ANNA"), history: false)) == nil)
            #expect(server.state.withLock { $0.devices[id]?.allowed.contains("ANNA") } == true)
            #expect(await failure(account, .allowEverybody) == nil)
            #expect(server.state.withLock { $0.devices[id]?.allowed } == "[]")
        }
    }

    @Test func `the same id once more keeps its key, another one does not`() async throws {
        try await withAccount { account, _, path in
            _ = await failure(account, .setKey(Secret("KEY")))
            let id = try await account.identity().id
            #expect(await failure(account, .adopt(id)) == nil)
            let kept6 = try kept(path)
            #expect(kept6["key"]?.string == "KEY")
            #expect(await failure(account, .adopt(Secret("OTHER"))) == nil)
            let other = try kept(path)
            #expect(other["key"] == nil && other["id"]?.string == "OTHER")
        }
    }

    @Test func `where the file cannot be read a new id is made beside it`() async throws {
        try await withAccount { account, _, path in
            _ = try await account.identity()
            try Data("nonsense".utf8).write(to: URL(filePath: path))
            #expect(await failure(account, .setKey(nil)) != nil)
            #expect(await failure(account, .reset) == nil)
            let kept7 = try kept(path)
            #expect(kept7["id"]?.string?.count == 36)
            #expect(try String(contentsOfFile: path + ".unreadable", encoding: .utf8) == "nonsense")
        }
    }

    @Test func `who was on the list to see nothing sees nothing afterwards`() async throws {
        try await withAccount { account, server, _ in
            let id = try await account.identity().id.revealed
            server.state.withLock {
                $0.devices[id] = SharingServer.Device(
                    allowed: #"[{"DeviceID":"EX","hasCurrentLocationAccess":false,"hasHistoryAccess":false},"#
                        + #"{"DeviceID":"BOB","hasCurrentLocationAccess":false,"hasHistoryAccess":true}]"#)
            }
            #expect(await failure(account, .allow(id: Secret("ANNA"), history: false)) == nil)
            let allowed = try #require(server.state.withLock { $0.devices[id]?.allowed })
            for entry in [
                #"{"DeviceID":"EX","hasCurrentLocationAccess":false,"hasHistoryAccess":false}"#,
                #"{"DeviceID":"BOB","hasCurrentLocationAccess":false,"hasHistoryAccess":true}"#,
                #"{"DeviceID":"ANNA","hasCurrentLocationAccess":true,"hasHistoryAccess":false}"#,
            ] { #expect(allowed.contains(entry), "\(allowed)") }
            let lines = try await account.perform(.listAllowed).lines
            #expect(lines.contains("EX  nothing") && lines.contains("BOB  history") && lines.contains("ANNA  place"))
        }
    }
}
