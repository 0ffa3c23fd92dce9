import Foundation
import Logging
import Synchronization
import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineSettings
import TrackEngineTestKit

@Suite(.timeLimit(.minutes(1))) struct RemoteSettingsTests {
    /// What the changes are made in, and what became of them.
    private final class Scene: Sendable {
        let file: RemoteFile
        let clock = ManualClock()
        let remote: RemoteSettings
        private let state: SharedState

        /// What the closures see.
        final class SharedState: Sendable {
            let applied = Mutex(0)
            let isReached = Mutex(false)
        }

        init(_ folder: String, allowed: Set<String> = ["tracking.distanceFilter", "log.level"]) {
            let state = SharedState()
            self.state = state
            file = RemoteFile(in: folder)
            let surroundings = RemoteSettings.Surroundings(
                allowed: allowed,
                examine: { values throws(RemoteRefusal) in
                    guard values.values["log.level"] != "loud" else { throw RemoteRefusal("expected a level") }
                },
                apply: { state.applied.withLock { $0 += 1 } },
                hasReached: { sink, _ in sink == "home" && state.isReached.withLock { $0 } })
            remote = RemoteSettings(file, surroundings, clock: clock, logger: Logger(label: "test"))
        }

        var applied: Int { state.applied.withLock { $0 } }
        func reach() { state.isReached.withLock { $0 = true } }

        /// Lets time pass until the trial has looked so often.
        func look(_ times: Int) async {
            for _ in 0..<times {
                await clock.sleepers(atLeast: 1)
                clock.advance(by: .seconds(5))
            }
        }

        /// Waits until the trial has looked, and waits itself to look again.
        func waits() async { await clock.sleepers(atLeast: 1) }
    }

    private func withScene(_ body: (Scene) async throws -> Void) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let scene = Scene(folder)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try? await scene.remote.run() }
                try await body(scene)
                group.cancelAll()
            }
        }
    }

    private let change = [RemoteValue("tracking.distanceFilter", "50")]

    @Test func `a change is kept, applied, and confirmed when something gets through`() async throws {
        try await withScene { scene in
            try await scene.remote.configure(change, through: "home")
            #expect(scene.file.read().before == [:] && scene.applied == 1)
            await scene.look(3)
            await scene.waits()
            #expect(scene.file.read().before == [:])
            scene.reach()
            await scene.look(1)
            await eventually("it is confirmed") { scene.file.read().before == nil }
            #expect(scene.file.read().values == ["tracking.distanceFilter": "50"] && scene.applied == 1)
        }
    }

    @Test func `where nothing gets through within five minutes it is undone`() async throws {
        try await withScene { scene in
            scene.reach()
            try await scene.remote.configure([RemoteValue("log.level", "debug")], through: "home")
            await scene.look(1)
            await eventually("it is confirmed") { scene.file.read().before == nil }
            // Through another sink, by which nothing gets through.
            try await scene.remote.configure(change, through: "away")
            await scene.look(59)
            #expect(scene.file.read().values["tracking.distanceFilter"] == "50")
            await scene.look(1)
            await eventually("it is undone") { scene.file.read().before == nil }
            #expect(scene.file.read().values == ["log.level": "debug"])
            await eventually("the configuration is read again") { scene.applied == 3 }
        }
    }

    @Test func `an undo that cannot be written is written as soon as it can be, and applied then`() async throws {
        try await withScene { scene in
            try await scene.remote.configure(change, through: "home")
            let files = FileManager.default
            // Where the file has to be there is a directory with something in it.
            try files.removeItem(atPath: scene.file.path)
            try files.createDirectory(atPath: scene.file.path + "/full", withIntermediateDirectories: true)
            await scene.look(62)
            await scene.waits()
            #expect(scene.applied == 1, "nothing is said to be undone")
            try files.removeItem(atPath: scene.file.path)
            await scene.look(1)
            await eventually("it is undone") { scene.applied == 2 }
            #expect(scene.file.read() == RemoteValues())
            try await scene.remote.configure(change, through: "home")
        }
    }

    @Test func `a file that was damaged during the trial keeps nothing from being undone`() async throws {
        try await withScene { scene in
            try await scene.remote.configure(change, through: "home")
            try "{".write(toFile: scene.file.path, atomically: true, encoding: .utf8)
            await scene.look(60)
            await eventually("it is undone") { scene.applied == 2 }
            #expect(try String(contentsOfFile: scene.file.path, encoding: .utf8).contains("values"))
        }
    }

    @Test func `one change at a time is on trial`() async throws {
        try await withScene { scene in
            try await scene.remote.configure(change, through: "home")
            let error = await #expect(throws: RemoteRefusal.self) {
                try await scene.remote.configure([RemoteValue("log.level", "debug")], through: "home")
            }
            #expect(error?.description.contains("still on trial") == true)
        }
    }

    @Test(
        arguments: [
            (RemoteValue("tracking.stillAfter", "5"), "expected log.level or tracking.distanceFilter"),
            (RemoteValue("sinks.0.url", "https://x"), "expected log.level or tracking.distanceFilter"),
            (RemoteValue("log.level", "loud"), "expected a level"),
        ])
    func `what is not allowed or not right changes nothing, with what stands beside it`(
        _ value: RemoteValue, _ words: String
    ) async throws {
        try await withScene { scene in
            let error = await #expect(throws: RemoteRefusal.self) {
                try await scene.remote.configure(change + [value], through: "home")
            }
            #expect(error?.description == words)
            #expect(scene.file.read() == RemoteValues() && scene.applied == 0)
        }
    }

    @Test func `what an end of the process left on trial is undone by the next start`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let file = RemoteFile(in: folder)
            #expect(try !RemoteSettings.undoInterrupted(file))
            var kept = RemoteValues()
            kept.values = ["log.level": "debug"]
            try file.write(kept.changed(by: change))
            #expect(try RemoteSettings.undoInterrupted(file))
            #expect(file.read() == kept)
            #expect(try !RemoteSettings.undoInterrupted(file))
        }
    }
}
