import Synchronization
import TestSupport
import Testing
import TrackEngine
import TrackEngineHTTP
import TrackEngineSettings
import TrackEngineTestKit

/// When a source asks, and for whom.
@Suite(.timeLimit(.minutes(30))) struct MiataruSourceTests {
    /// A source that follows SMALL and BIG, beside which a test runs.
    private final class Scene: Sendable {
        let agent = PausableAgent()
        let clock = ManualClock()
        let statuses = Mutex([SourceStatus]())

        /// Waits until the source waits for the time of its next question, and for no reply.
        func rests(for time: Duration = .seconds(30)) async {
            await eventually("it rests for \(time): \(clock.deadlines)") { clock.deadlines == [time] }
        }

        /// Whether the source has said once that it is unavailable, why, and that of each device nothing is known.
        func expectUnavailable(_ reason: String) throws {
            let statuses = statuses.withLock { $0 }
            guard statuses.count == 1, case .unavailable(let text)? = statuses.first else {
                Issue.record("\(statuses)")
                return
            }
            #expect(text.contains(reason) || text.contains("the reply has"), "\(text)")
            let devices = agent.followedDevices()
            #expect(devices.map(\.device) == ["SMALL", "BIG"])
            #expect(devices.allSatisfy { $0.fix == nil && $0.failure == text })
        }

        /// Runs the source until the body returns.
        func run(_ server: PlaceServer, _ body: () async throws -> Void) async throws {
            try await TestEnvironment.withTemporaryDirectory { folder in
                let followed = ["SMALL", "BIG"].map { FollowEntry(id: Secret($0), name: $0) }
                let source = try MiataruSource(
                    id: "friends", address: ServerAddress(url: server.url),
                    list: FollowedList(followed, of: "friends", in: folder),
                    keeper: .configuration { Samples.configuration().identity }, interval: .seconds(30), clock: clock)
                source.attach(to: agent)
                let output = FixOutput(
                    emit: { _ in Issue.record("what others do is no fix") },
                    status: { status in self.statuses.withLock { $0.append(status) } })
                let running = Task { try await source.run(output) }
                try await body()
                running.cancel()
                _ = await running.result
                server.stop()
            }
        }
    }

    @Test func `in a pause nobody is asked, and afterwards at the next time`() async throws {
        let server = try PlaceServer { .places($0) }
        let scene = Scene()
        scene.agent.isPaused = true
        try await scene.run(server) {
            for _ in 0..<10 {
                await scene.rests()
                scene.clock.advance(by: .seconds(30))
            }
            await scene.rests()
            #expect(server.questions.isEmpty && scene.agent.followedDevices().isEmpty)
            scene.agent.isPaused = false
            scene.clock.advance(by: .seconds(30))
            await eventually("it asks") { server.questions.count == 1 }
            await scene.rests()
            scene.agent.isPaused = true
            for _ in 0..<10 {
                scene.clock.advance(by: .seconds(30))
                await scene.rests()
            }
            #expect(server.questions.count == 1)
        }
    }

    /// What may be one device's fault: too much to be read, a question that is refused, a failure, and a reply cut short.
    private static let faults = [
        PlaceServer.Reply(body: #"{"MiataruLocation":[],"x":""# + String(repeating: "x", count: 70_000) + #""}"#),
        PlaceServer.Reply(status: 400, body: "{}"), PlaceServer.Reply(status: 500, body: "{}"),
        PlaceServer.Reply(body: "{"),
    ]

    @Test(arguments: faults.indices)
    func `a device to whose place the server replies what cannot be used is asked for alone`(_ index: Int) async throws
    {
        let fault = Self.faults[index]
        let server = try PlaceServer { $0.contains("BIG") ? fault : .places($0) }
        let scene = Scene()
        try await scene.run(server) {
            await eventually("all are asked for") { server.questions.count == 3 }
            await scene.rests()
            #expect(server.questions == [["SMALL", "BIG"], ["SMALL"], ["BIG"]])
            let devices = scene.agent.followedDevices()
            #expect(devices.map(\.device) == ["SMALL", "BIG"])
            #expect(devices.map { $0.fix == nil } == [false, true], "the other device costs it nothing")
            #expect(scene.statuses.withLock { $0 } == [.receiving])
        }
    }

    @Test(arguments: [401, 403, 404, 429, 503])
    func `a server that serves nobody is not asked for each device`(_ status: Int) async throws {
        let server = try PlaceServer { _ in .init(status: status, body: "{}") }
        let scene = Scene()
        try await scene.run(server) {
            await eventually("it says so") { scene.statuses.withLock { !$0.isEmpty } }
            #expect(server.questions == [["SMALL", "BIG"]])
            try scene.expectUnavailable("HTTP \(status)")
        }
    }

    /// What is no answer about any device: refusals, failures, and replies that are not one entry for each.
    private static let failures = [
        PlaceServer.Reply(status: 400, body: "{}"), PlaceServer.Reply(status: 500, body: "{}"),
        PlaceServer.Reply(status: 204, body: ""), PlaceServer.Reply(body: "{"), PlaceServer.Reply(body: "{}"),
        PlaceServer.Reply(body: #"{"MiataruLocation":[]}"#),
        PlaceServer.Reply(body: #"{"MiataruLocation":[null,null,null]}"#),
    ]

    @Test(arguments: failures.indices)
    func `a server that fails for every device is unavailable, and says nothing of where they are`(_ index: Int)
        async throws
    {
        let failure = Self.failures[index]
        let isFailing = Mutex(true)
        let server = try PlaceServer { isFailing.withLock { $0 } ? failure : .places($0) }
        let scene = Scene()
        try await scene.run(server) {
            await eventually("it says so") { scene.statuses.withLock { !$0.isEmpty } }
            try scene.expectUnavailable("HTTP \(failure.status)")
            isFailing.withLock { $0 = false }
            await eventually("it waits") { scene.clock.deadlines.count == 1 }
            scene.clock.advance(by: .seconds(600))
            await eventually("it is over") { scene.statuses.withLock { $0.count } == 2 }
            #expect(scene.statuses.withLock { $0.last } == .receiving)
            let devices = scene.agent.followedDevices().suffix(2)
            #expect(devices.map(\.device) == ["SMALL", "BIG"])
            #expect(devices.allSatisfy { $0.fix != nil && $0.failure == nil })
        }
    }
}
