import Foundation
import Logging
import Synchronization
import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineSettings
import TrackEngineTestKit

@Suite(.timeLimit(.minutes(30))) struct RemoteSettingsTests {
    private static let now = Timestamp(secondsSince1970: 1_772_359_200)  // 2026-03-01T10:00:00Z

    /// What the changes are made in, and what became of them.
    private final class Scene: Sendable {
        let file: RemoteFile
        let clock = ManualClock()
        let remote: RemoteSettings
        private let state: SharedState

        /// What the closures see.
        final class SharedState: Sendable {
            let applied = Mutex(0)
            let seen = Mutex(TrialMonitor.Reading())
            let sent = Mutex(0)
            let examined = Mutex(Set<String>())
        }

        init(
            _ folder: String, allowed: Set<String> = ["tracking.distanceFilter", "log.level"],
            standing: RemoteStatus = RemoteStatus()
        ) {
            let state = SharedState()
            self.state = state
            file = RemoteFile(in: folder)
            let surroundings = RemoteSettings.Environment(
                allowed: allowed,
                examine: { values, keys throws(RemoteRejection) in
                    state.examined.withLock { $0 = keys }
                    guard values.texts["log.level"] != "loud" else { throw RemoteRejection("no level") }
                },
                apply: { state.applied.withLock { $0 += 1 } },
                sight: { _, sink in
                    sink == "home" ? state.seen.withLock { $0 } : TrialMonitor.Reading()
                },
                send: { _ in state.sent.withLock { $0 += 1 } })
            remote = RemoteSettings(
                file, surroundings, standing: standing, clock: clock, now: { RemoteSettingsTests.now },
                logger: Logger(label: "test"))
        }

        var applied: Int { state.applied.withLock { $0 } }
        var sent: Int { state.sent.withLock { $0 } }
        var examined: Set<String> { state.examined.withLock { $0 } }

        /// Lets the sink "home" see something else from now on.
        func see(_ change: (inout TrialMonitor.Reading) -> Void) { state.seen.withLock { change(&$0) } }

        /// A record was made and its receiver has confirmed it.
        func reach() {
            see { ($0.recorded, $0.delivered) = ($0.recorded + 1, $0.delivered + 1) }
        }

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

    @Test func `a change is kept, applied, and confirmed when a record gets through`() async throws {
        try await withScene { scene in
            try await scene.remote.configure(change, through: "home")
            #expect(scene.file.read().trial?.before == [:] && scene.applied == 1)
            #expect(scene.file.read().trial?.end == Self.now.advanced(by: .seconds(300)))
            await scene.look(3)
            await scene.waits()
            #expect(scene.file.read().trial?.before == [:])
            scene.reach()
            await scene.look(1)
            await eventually("it is confirmed") { scene.file.read().trial == nil }
            #expect(scene.file.read().texts == ["tracking.distanceFilter": "50"] && scene.applied == 1)
            await eventually("it is shown so") { scene.remote.standing.values == scene.file.read() }
        }
    }

    @Test func `where nothing gets through within five minutes it is undone`() async throws {
        try await withScene { scene in
            try await scene.remote.configure([RemoteValue("log.level", "debug")], through: "home")
            await scene.look(1)
            await scene.waits()
            scene.reach()
            await scene.look(1)
            await eventually("it is confirmed") { scene.file.read().trial == nil }
            // Through another sink, by which nothing gets through.
            try await scene.remote.configure(change, through: "away")
            await scene.look(59)
            #expect(scene.file.read().texts["tracking.distanceFilter"] == "50")
            await scene.look(1)
            await eventually("it is undone") { scene.file.read().trial == nil }
            #expect(scene.file.read().texts == ["log.level": "debug"])
            await eventually("the configuration is read again") { scene.applied == 3 }
        }
    }

    @Test func `while the object rests the trial's time does not pass, but for half a day`() async throws {
        try await withScene { scene in
            scene.see { $0.isMoving = false }
            try await scene.remote.configure(change, through: "home")
            await scene.look(120)
            await scene.waits()
            #expect(scene.file.read().trial != nil)
            scene.see { $0.isMoving = true }
            await scene.look(10)
            await scene.waits()
            #expect(scene.file.read().trial != nil)
            scene.see { $0.isMoving = false }
            let rest = RemoteSettings.longestRest / .seconds(5)
            await scene.look(Int(rest) - 121)
            await scene.waits()
            #expect(scene.file.read().trial != nil)
            await scene.look(1)
            await eventually("it is undone") { scene.file.read().trial == nil }
            #expect(scene.file.read().texts.isEmpty)
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
            #expect(try String(contentsOfFile: scene.file.asidePath, encoding: .utf8) == "{")
            #expect(scene.remote.standing.problem?.contains("set aside as remote.json.corrupt") == true)
        }
    }

    @Test func `one change at a time is on trial`() async throws {
        try await withScene { scene in
            try await scene.remote.configure(change, through: "home")
            let error = await #expect(throws: RemoteRejection.self) {
                try await scene.remote.configure([RemoteValue("log.level", "debug")], through: "home")
            }
            #expect(error?.description.contains("still on trial") == true)
        }
    }

    @Test(
        arguments: [
            (RemoteValue("tracking.stillAfter", "5"), "tracking.stillAfter"),
            (RemoteValue("50.08,14.42", "x"), "another key"), (RemoteValue("log.level", "loud"), "no level"),
        ])
    func `what is not allowed or not right changes nothing, with what stands beside it`(
        _ value: RemoteValue, _ words: String
    ) async throws {
        try await withScene { scene in
            let error = await #expect(throws: RemoteRejection.self) {
                try await scene.remote.configure(change + [value], through: "home")
            }
            expectMessage(error?.description, begin: words, as: "\(value.key) = \(value.text)")
            #expect(scene.file.read() == RemoteValues() && scene.applied == 0)
        }
    }

    @Test func `a change is examined by the keys that it changes, not by those that hold`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            var kept = RemoteValues()
            kept.values["log.level"] = .init("debug")
            try RemoteFile(in: folder).write(kept)
            let scene = Scene(folder, standing: RemoteStatus(kept))
            try await scene.remote.configure(change, through: "home")
            #expect(scene.examined == ["tracking.distanceFilter"])
        }
    }

    @Test func `as configured takes a value back, on trial like any other`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            var kept = RemoteValues()
            kept.values = ["log.level": .init("debug"), "tracking.distanceFilter": .init("50")]
            try RemoteFile(in: folder).write(kept)
            let scene = Scene(folder, standing: RemoteStatus(kept))
            try await scene.remote.configure([RemoteValue("log.level", RemoteValue.asConfigured)], through: "home")
            let trial = scene.file.read()
            #expect(trial.texts == ["tracking.distanceFilter": "50"] && trial.undone == kept && scene.examined == [])
            #expect(trial.isOnTrial("log.level") && !trial.isOnTrial("tracking.distanceFilter"))
        }
    }

    @Test func `a record that waits for the sink's threshold is sent, and a filter that records nothing is undone`()
        async throws
    {
        try await withScene { scene in
            try await scene.remote.configure(change, through: "home")
            await scene.look(1)
            await scene.waits()
            // What was recorded before gets through: that proves nothing.
            scene.see { $0.delivered += 5 }
            await scene.look(10)
            await scene.waits()
            #expect(scene.file.read().trial != nil && scene.sent == 0)
            scene.see { ($0.recorded, $0.queued) = (1, 1) }
            await scene.look(1)
            await eventually("it is sent") { scene.sent == 1 }
            await scene.look(48)
            await eventually("it is undone") { scene.applied == 2 }
            #expect(scene.file.read().isEmpty)
        }
    }

    @Test func `the operator takes values back, also those on trial, and the trial is over`() async throws {
        try await withScene { scene in
            try await scene.remote.configure(change, through: "home")
            #expect(try await scene.remote.clear([]) == ["tracking.distanceFilter"])
            #expect(scene.file.read().isEmpty && scene.remote.standing.values.isEmpty && scene.applied == 2)
            // The trial that is over does not end the one that follows.
            try await scene.remote.configure([RemoteValue("log.level", "debug")], through: "home")
            await scene.look(2)
            await scene.waits()
            scene.reach()
            await scene.look(1)
            await eventually("it is confirmed") { scene.file.read().trial == nil }
            #expect(scene.file.read().texts == ["log.level": "debug"] && scene.applied == 3)
            let error = await #expect(throws: RemoteRejection.self) {
                try await scene.remote.clear(["tracking.distanceFilter"])
            }
            expectMessage(error?.description, begin: "\"tracking.distanceFilter\"")
        }
    }

    @Test(arguments: ["{", #"{"version":2,"values":{}}"#, #"{"version":1,"values":{"sinks.0.url":"https://x"}}"#])
    func `a damaged file is told and set aside, never written over`(_ text: String) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let file = RemoteFile(in: folder)
            try text.write(toFile: file.path, atomically: true, encoding: .utf8)
            expectMessage(file.standing.problem, replacing: [folder: "FOLDER"])
            let (standing, isUndone) = RemoteSettings.prepare(file, logger: Logger(label: "test"))
            #expect(standing.problem?.contains("set aside as remote.json.corrupt") == true && !isUndone)
            #expect(try String(contentsOfFile: file.asidePath, encoding: .utf8) == text)
            #expect(file.content() == .none)
            try "second".write(toFile: file.path, atomically: true, encoding: .utf8)
            let scene = Scene(folder)
            try await scene.remote.configure(change, through: "home")
            #expect(try String(contentsOfFile: file.asidePath, encoding: .utf8) == "second")
            #expect(try String(contentsOfFile: file.asidePath + ".old", encoding: .utf8) == text)
            #expect(scene.remote.standing.problem != nil)
        }
    }

    @Test func `what is no file is told, and no change is taken`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let file = RemoteFile(in: folder)
            try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: folder + "/other")
            let (standing, _) = RemoteSettings.prepare(file, logger: Logger(label: "test"))
            #expect(standing.problem?.contains("cannot read as a regular file") == true)
            let scene = Scene(folder, standing: standing)
            await #expect(throws: RemoteRejection.self) { try await scene.remote.configure(change, through: "home") }
            #expect(scene.applied == 0)
        }
    }

    @Test func `what an end of the process left on trial is undone by the next start`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let file = RemoteFile(in: folder)
            let logger = Logger(label: "test")
            #expect(RemoteSettings.prepare(file, logger: logger) == (RemoteStatus(), false))
            var kept = RemoteValues()
            kept.values = ["log.level": .init("debug")]
            try file.write(kept.changed(by: change, now: Self.now, end: Self.now))
            #expect(RemoteSettings.prepare(file, logger: logger) == (RemoteStatus(kept), true))
            #expect(file.read() == kept)
            #expect(RemoteSettings.prepare(file, logger: logger) == (RemoteStatus(kept), false))
        }
    }
}
