import Foundation
import TestSupport
import Testing
import TortureKit
import TrackEngine
import TrackEngineTestKit

/// What an agent makes of the place that its server has, over restarts, while the object rests. Its clocks go as fast as a test
/// likes.
@Suite(.timeLimit(.minutes(30))) struct SharedPlaceAgentTests {
    /// An agent that shares a resting object's place through two servers: what one of them gets tells when the other one
    /// would.
    private final class Scene {
        let folder: String
        let shim: String
        let server: SharingServer
        let control: SharingServer
        private var seconds = 0

        init(_ folder: String, _ bench: TortureBench) throws {
            self.folder = folder
            shim = bench.shim
            server = try SharingServer()
            control = try SharingServer()
            try setClocks()
        }

        private var environment: [String: String] { ["LD_PRELOAD": shim, "TORTURE_CLOCK": folder + "/clock"] }

        private func setClocks() throws {
            try "\(seconds) \(seconds) \(seconds)\n".write(toFile: folder + "/clock", atomically: true, encoding: .utf8)
        }

        /// How often a place came to a server.
        static func places(_ server: SharingServer) -> Int {
            server.state.withLock { $0.calls.count { $0 == "UpdateLocation" } }
        }

        /// Runs the agent beside a body and kills it: after an orderly end the next run begins with a record of where it is.
        func run(_ body: (RunningAgent) async throws -> Void) async throws {
            // The object is where it was as long as it has not driven 100 km.
            let agent = try RunningAgent(
                folder,
                """
                sources: [{type: simulated, rate: 10}]
                tracking: {distanceFilter: 100000, disableSpeedMultiplier: true, stillAfter: 0, standbyAfter: 0}
                store: {path: \(folder)/state}
                sinks:
                  - {type: miataru, name: here, url: "http://127.0.0.1:\(server.port.number)", retention: 5,
                     syncThreshold: 1, httpTimeout: 600000}
                  - {type: miataru, name: control, url: "http://127.0.0.1:\(control.port.number)", retention: 5,
                     syncThreshold: 1, httpTimeout: 600000}
                """, environment: environment)
            try await body(agent)
            agent.child.send(SIGKILL)
            #expect(await agent.end() == -SIGKILL, "\(agent.child.text)")
        }

        /// Lets the clocks run until the control server has got so many places more.
        func pass(renewals count: Int, _ agent: RunningAgent) async throws {
            let wanted = Self.places(control) + count
            try await eventually(
                "the place comes again, trackd printed: \(agent.child.text)", from: agent.child
            ) {
                guard Self.places(control) < wanted else { return true }
                seconds += 5
                try setClocks()
                return false
            }
        }

        /// Has a server delete what it has.
        func delete() async throws {
            let command = try ChildProcess(
                TestEnvironment.builtProduct("trackd"),
                ["miataru", "delete", "--yes", "--yes", "--sink", "here", "--config", folder + "/trackd.yaml"],
                environment: environment)
            #expect(await command.exit() == 0, "\(command.text)")
        }
    }

    private func withScene(_ body: (Scene) async throws -> Void) async throws {
        try await TortureBench.with(seed: 1, program: "") { bench in
            try await TestEnvironment.withTemporaryDirectory { folder in
                let scene = try Scene(folder, bench)
                try await body(scene)
                scene.server.stop()
                scene.control.stop()
            }
        }
    }

    @Test func `a place is renewed after a restart, and what was deleted does not come back, nor after a restart`()
        async throws
    {
        try await withScene { scene in
            try await scene.run { agent in
                await eventually(
                    "both have the place, trackd printed: \(agent.child.text)", from: agent.child
                ) {
                    let text = (try? await agent.trackd("status", "--json").text) ?? ""
                    let sinks = JSONValue(ifReadable: Array(text.utf8))?["sinks"]?.array
                    return sinks?.map { [$0["delivered"]?.number, $0["queued"]?.number] } == [[1, 0], [1, 0]]
                }
                #expect(Scene.places(scene.server) == 1 && Scene.places(scene.control) == 1)
            }
            try await scene.run { agent in
                try await scene.pass(renewals: 2, agent)
                await eventually("the other one, too") { Scene.places(scene.server) >= 2 }
                try await scene.delete()
                let before = Scene.places(scene.server)
                try await scene.pass(renewals: 3, agent)
                #expect(Scene.places(scene.server) == before, "the agent runs on")
            }
            let before = Scene.places(scene.server)
            try await scene.run { agent in
                try await scene.pass(renewals: 3, agent)
                #expect(Scene.places(scene.server) == before, "it was started anew")
                let status = try await agent.trackd("status", "--json").text
                #expect(status.contains(#""lastSequence":1,"#), "nothing was recorded: \(status)")
            }
            #expect(scene.server.state.withLock { $0.calls.contains("DeleteLocation") })
        }
    }
}
