import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineTestKit

/// Rules change what is recorded, and give back what was before.
@Suite(.timeLimit(.minutes(30))) struct ProfileControllerTests {
    private static let tracking = "tracking: {distanceFilter: 16, stillAfter: 0, standbyAfter: 0}\n"

    private static func with(
        _ yaml: String, store: any FixStore = InMemoryFixStore(), shift: Duration = .zero,
        battery: Int? = nil, _ body: @Sendable @escaping (ProfileBench) async throws -> Void
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let bench = try ProfileBench(tracking + yaml, in: folder, store: store, shift: shift)
            if let battery { try await bench.setBattery(battery) }
            try await bench.run { try await body(bench) }
        }
    }

    private static let evening = """
        profiles:
          schedule: {zone: UTC, windows: [{from: 08:00, to: 18:00, tracking: normal}], outside: off}
        """

    private static func places(_ tracking: String) -> String {
        "events: {trips: true, places: [{name: Yard, \(ProfileBench.yard), tracking: \(tracking)}]}\n"
    }

    // MARK: The battery

    @Test func `a low battery makes tracking coarse until it has enough, and each change is logged once`() async throws
    {
        let yaml = "profiles: {power: [{below: 20, tracking: coarse}, {onMains: true, tracking: fine}]}"
        try await Self.with(yaml, battery: 19) { bench in
            #expect(bench.keeper.standing?.resolution.words == "coarse because battery 19 %")
            #expect(await bench.tracker.configuration.recording.distanceFilter == 200, "before the first fix")
            for level in [21, 18, 24] {
                try await bench.setBattery(level)
                await bench.holds("coarse because battery \(level) %")
            }
            try await bench.setBattery(25)
            await bench.holds("normal because no rule applies")
            await bench.records(by: 16)
            try await bench.setBattery(25, "Charging")
            await bench.holds("fine because on mains")
            await bench.records(by: 5)
            #expect(
                bench.log.lines == [
                    "another tracking profile holds because=battery 19 % profile=coarse",
                    "another tracking profile holds because=no rule applies before=coarse profile=normal",
                    "another tracking profile holds because=on mains before=normal profile=fine",
                ])
        }
    }

    @Test func `a rule on the battery outlives the process, and a file that is damaged says nothing`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let yaml = "profiles: {power: [{below: 20, tracking: coarse}]}"
            for (level, words) in [
                (19, "coarse because battery 19 %"), (22, "coarse because battery 22 %"),
                (25, "normal because no rule applies"), (22, "normal because no rule applies"),
            ] {
                let bench = try ProfileBench(Self.tracking + yaml, in: folder)
                try await bench.setBattery(level)
                try await bench.run { #expect(bench.keeper.standing?.resolution.words == words) }
            }
            try Data("{".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(PowerFile.name)"))
            #expect(PowerFile(in: folder).read() == [])
        }
    }

    // MARK: Time

    @Test func `outside of its windows tracking is off, and what waits is delivered`() async throws {
        try await Self.with(Self.evening) { bench in
            try await bench.feed(metres: 0)
            try await bench.feed(metres: 100)
            bench.clock.advance(by: .seconds(3581))
            await bench.holds("off because schedule, outside of its windows", passing: .seconds(1))
            await eventually("the leg has ended") { await bench.tracker.status().sources.first?.latest == nil }
            try await bench.feed(metres: 500)
            #expect(await bench.rejected(.off) == 1)
            await bench.tracker.sync()
            #expect(bench.sink.records.count == 2)
            // At 08:00 of the next morning.
            await bench.clock.sleepers(atLeast: 1)
            bench.clock.advance(by: .seconds(14 * 3600))
            await bench.holds("normal because schedule 08:00 to 18:00", passing: .seconds(1))
            try await bench.feed(metres: 900)
            #expect(try await bench.metres() == [0, 100, 900])
            #expect(try await bench.store.records(after: .zero, limit: 10).last?.cause == .resumed)
        }
    }

    @Test func `a restart outside of the windows records nothing`() async throws {
        let store = InMemoryFixStore()
        try await Self.with(Self.evening, store: store) { bench in try await bench.feed(metres: 0) }
        try await Self.with(Self.evening, store: store, shift: .seconds(7200)) { bench in
            #expect(bench.keeper.standing?.resolution.profile == .off)
            // A fix of then: one that contradicts the clock ends the trust in it, and with it the schedule.
            bench.clock.advance(by: .seconds(10))
            try await bench.source.feed(ProfileBench.fix(7210, metres: 500))
            let metres = try await bench.metres()
            #expect(metres == [0])
        }
    }

    @Test func `a clock that was never set does not keep tracking off, and is looked at again`() async throws {
        let wrong = Duration.seconds(-1_772_380_000)  // in 1970, at night
        try await Self.with(Self.evening, shift: wrong) { bench in
            #expect(
                bench.keeper.standing?.resolution.words
                    == "normal because the clock is not trusted, so the schedule does not hold")
            try await bench.feed(metres: 0)
            #expect(try await bench.metres() == [0])
            bench.set(shift: .seconds(7200))
            await bench.holds("off because schedule, outside of its windows", passing: ProfileController.interval)
            bench.set(shift: .zero)
            await bench.holds("normal because schedule 08:00 to 18:00", passing: ProfileController.interval)
        }
    }

    @Test func `a clock that fixes contradict does not keep tracking off`() async throws {
        try await Self.with(Self.evening, shift: .seconds(-86_400 * 30 + 7200)) { bench in
            #expect(bench.keeper.standing?.resolution.profile == .off)
            try await bench.feed(metres: 0)
            await bench.holds("normal because the clock is not trusted, so the schedule does not hold")
            try await eventually("it tracks") {
                try await bench.feed(metres: 100)
                return try await !bench.metres().isEmpty
            }
        }
    }

    @Test func `the schedule is kept in real time`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let configuration = try Given.configuration(
                "profiles: {schedule: {zone: UTC, windows: [{from: 17:01, to: 17:02, tracking: coarse}]}}")
            let clock = ContinuousClock()
            let begin = clock.now
            let now: @Sendable () -> Timestamp = {
                ProfileBench.start.advanced(by: .milliseconds(59_500) + begin.duration(to: clock.now))
            }
            let tracker = try Tracker.make(store: InMemoryFixStore(), sources: [])
            let keeper = ProfileController(
                configuration, tracker, BatteryReader(directory: folder), logger: CollectedLog().logger, now: now)
            await keeper.begin()
            #expect(keeper.standing?.resolution.profile == .normal)
            let task = Task { await keeper.run() }
            await eventually("the window has begun") { await tracker.configuration.recording.distanceFilter == 200 }
            #expect(now() >= ProfileBench.start.advanced(by: .seconds(60)))
            task.cancel()
            await task.value
        }
    }

    // MARK: Places

    @Test func `in a place tracking is fine, and as before outside`() async throws {
        try await Self.with(Self.places("fine")) { bench in
            try await bench.feed(metres: 0)
            try await bench.feed(metres: 1900)
            await bench.holds("fine because place Yard")
            await bench.records(by: 5)
            try await bench.feed(metres: 1910)
            try await bench.feed(metres: 4000)
            await bench.holds("normal because no rule applies")
            await bench.records(by: 16)
            try await bench.feed(metres: 4010)
            #expect(try await bench.metres() == [0, 1900, 1910, 4000])
        }
    }

    @Test(arguments: [false, true])
    func `where tracking is off no position is kept, told or logged, over a kill as well`(_ isKilled: Bool) async throws
    {
        let store = InMemoryFixStore()
        let inside: @Sendable (ProfileBench) async throws -> Void = { bench in
            try await bench.feed(metres: 0)
            for metres in stride(from: 300.0, to: 2300, by: 100) { try await bench.feed(metres: metres) }
            await bench.holds("off because a place where tracking is off")
            #expect(await bench.tracker.status().sources.first?.latest == nil)
            #expect(await bench.rejected(.off) == 8, "from 1500 to 2200 m")
            #expect(bench.log.lines.allSatisfy { !$0.contains("Yard") })
        }
        let outside: @Sendable (ProfileBench) async throws -> Void = { bench in
            if isKilled {
                #expect(bench.keeper.standing?.resolution.profile == .off)
                bench.clock.advance(by: .seconds(300))
            }
            for metres in stride(from: 2300.0, to: 3000, by: 100) { try await bench.feed(metres: metres) }
            await bench.holds("normal because no rule applies")
        }
        try await Self.with(Self.places("off"), store: store) { bench in
            try await inside(bench)
            if !isKilled { try await outside(bench) }
        }
        if isKilled { try await Self.with(Self.places("off"), store: store) { try await outside($0) } }
        let records = try await store.records(after: .zero, limit: 100)
        // Discs of 5 m that touch the place count as inside, as they do for privacy zones.
        let metres = records.map { (($0.fix.coordinate.latitude - 0.5) * 110_574.4).rounded() }
        #expect(metres.allSatisfy { $0 < 1500 || $0 > 2500 }, "\(metres)")
        let positions = records.filter { $0.kind == .location }
        #expect(positions.count { $0.cause == .resumed } == 1)
        #expect(records.allSatisfy { $0.kind != .transition }, "an event would name the place and its centre")
    }

    // MARK: Trips

    @Test func `while a trip lasts tracking is as it wants, and as before afterwards, over a kill as well`()
        async throws
    {
        let yaml = Self.places("coarse") + "profiles: {trips: [{mode: bicycle, tracking: fine}]}"
        let store = InMemoryFixStore()
        try await Self.with(yaml, store: store) { bench in
            try await bench.feed(metres: 1900)
            await bench.holds("coarse because place Yard")
            _ = try await bench.tracker.perform(.startTrip(.bicycle))
            await bench.holds("fine because trip, bicycle")
            try await bench.feed(metres: 1910)
        }
        try await Self.with(yaml, store: store) { bench in
            #expect(bench.keeper.standing?.resolution.words == "fine because trip, bicycle", "before the first fix")
            #expect(await bench.tracker.configuration.recording.distanceFilter == 5)
            bench.clock.advance(by: .seconds(30))
            try await bench.feed(metres: 1920)
            _ = try await bench.tracker.perform(.stopTrip)
            await bench.holds("coarse because place Yard")
            await bench.records(by: 200)
        }
    }

    // MARK: Other changes

    @Test func `another configuration changes what the profile stands on, and the profile goes on`() async throws {
        let yaml = "profiles: {power: [{below: 20, tracking: coarse}]}"
        try await Self.with(yaml, battery: 10) { bench in
            func apply(_ text: String) async throws { try await bench.keeper.apply(Given.configuration(text)) }
            try await apply("tracking: {distanceFilter: 30, minimumAccuracy: 50}\n" + yaml)
            #expect(await bench.tracker.configuration.recording.distanceFilter == 200)
            #expect(await bench.tracker.configuration.recording.minimumAccuracy == 50)
            let other = yaml.replacing("profiles: {", with: "profiles: {coarse: {distanceFilter: 99}, ")
            try await apply("tracking: {distanceFilter: 30}\n" + other)
            #expect(await bench.tracker.configuration.recording.distanceFilter == 99)
            try await bench.setBattery(50)
            await bench.records(by: 30)
            try await apply("tracking: {distanceFilter: 31}")
            #expect(await bench.tracker.configuration.recording.distanceFilter == 31)
            #expect(bench.keeper.standing == nil)
        }
    }

    @Test func `a pause while tracking is off ends into off, and delivers nothing meanwhile`() async throws {
        try await Self.with(Self.evening, shift: .seconds(7200)) { bench in
            #expect(bench.keeper.standing?.resolution.profile == .off)
            await bench.tracker.pause()
            try await bench.source.feed(ProfileBench.fix(7201, metres: 5))
            #expect(await bench.rejected(.paused) == 1)
            await bench.tracker.resume()
            try await bench.source.feed(ProfileBench.fix(7202, metres: 5))
            #expect(await bench.rejected(.off) == 1)
            #expect(try await bench.metres() == [])
        }
    }

    @Test func `without rules nobody looks at a clock`() async throws {
        try await Self.with("") { bench in
            #expect(bench.keeper.standing == nil)
            try await bench.feed(metres: 0)
            #expect(try await bench.metres() == [0])
            #expect(bench.log.lines == [])
        }
    }
}
