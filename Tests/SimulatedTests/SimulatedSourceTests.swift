import Synchronization
import Testing
import TrackEngine
import TrackEngineSimulated
import TrackEngineTestKit

@Suite struct SimulatedSourceTests {
    private static let noon = Timestamp(secondsSince1970: 1_800_000_000)

    private func configuration(
        rate: Int = 1, duration: Duration? = nil, pace: SimulatedSource.Configuration.Pace
    ) -> SimulatedSource.Configuration {
        var configuration = SimulatedSource.Configuration(seed: 5, rate: rate, duration: duration, pace: pace)
        configuration.noise.dropoutsPerHour = 0
        return configuration
    }

    /// Runs a source in real time on a manual clock while `body` moves it, then cancels.
    private func withLiveSource(
        _ configuration: SimulatedSource.Configuration, _ collected: CollectedFixes,
        _ body: (ManualClock) async throws -> Void
    ) async throws {
        let clock = ManualClock()
        let source = try SimulatedSource(configuration: configuration, clock: clock, wallClock: { Self.noon })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await source.run(collected.output) }
            try await body(clock)
            group.cancelAll()
            while let result = await group.nextResult() {
                if case .failure(let error) = result { #expect(error is CancellationError) }
            }
        }
    }

    // MARK: As fast as possible

    @Test func `as fast as possible every fix of the drive comes, in order, and then the end`() async throws {
        var configuration = configuration(rate: 2, duration: .seconds(250), pace: .asFastAsPossible)
        configuration.noise.dropoutsPerHour = 60
        let collected = CollectedFixes()
        try await SimulatedSource(configuration: configuration).run(collected.output)
        let expected = try SimulatedDrive(configuration).compactMap(\.fix)
        #expect(collected.fixes == expected)
        #expect(expected.count < 500)
        #expect(collected.statuses == [.receiving, .finished])
    }

    @Test func `running twice begins the drive anew`() async throws {
        let source = try SimulatedSource(configuration: configuration(duration: .seconds(20), pace: .asFastAsPossible))
        let (first, second) = (CollectedFixes(), CollectedFixes())
        try await source.run(first.output)
        try await source.run(second.output)
        #expect(first.fixes == second.fixes)
        #expect(first.fixes.count == 20)
    }

    @Test func `occasional demand is honoured on the fixes' own time`() async throws {
        let source = try SimulatedSource(configuration: configuration(duration: .seconds(600), pace: .asFastAsPossible))
        let collected = CollectedFixes()
        collected.demand.set(.occasional(every: .seconds(60)))
        try await source.run(collected.output)
        let start = SimulatedSource.Configuration.defaultStartTime
        #expect(collected.fixes.map { $0.time.duration(since: start) } == (0..<10).map { .seconds(60 * $0) })
    }

    @Test func `an endless drive ends on cancellation`() async throws {
        let source = try SimulatedSource(configuration: configuration(pace: .asFastAsPossible))
        let seen = Mutex(0)
        let output = FixOutput(emit: { fixes throws(CancellationError) in seen.withLock { $0 += fixes.count } })
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await source.run(output) }
            await eventually("some fixes") { seen.withLock { $0 > 100 } }
            group.cancelAll()
            await #expect(throws: CancellationError.self) { try await group.next() }
        }
    }

    // MARK: In real time

    @Test func `in real time a fix comes when it is due and not before`() async throws {
        let collected = CollectedFixes()
        try await withLiveSource(configuration(rate: 1, pace: .realTime), collected) { clock in
            await clock.sleepers(atLeast: 1)
            #expect(collected.fixes.count == 1)  // at once
            clock.advance(by: .milliseconds(999))
            #expect(clock.nextDeadline == .milliseconds(1))
            clock.advance(by: .milliseconds(1))
            await eventually("the second fix") { collected.fixes.count == 2 }
        }
        #expect(collected.fixes.map(\.time) == [Self.noon, Self.noon.advanced(by: .seconds(1))])
    }

    @Test func `at 10 Hz the deadlines are tenths of a second from the start, however late the source wakes`()
        async throws
    {
        let collected = CollectedFixes()
        try await withLiveSource(configuration(rate: 10, pace: .realTime), collected) { clock in
            await clock.sleepers(atLeast: 1)
            clock.advance(by: .milliseconds(117))
            await eventually("the second fix") { collected.fixes.count == 2 }
            await clock.sleepers(atLeast: 1)
            #expect(clock.nextDeadline == .milliseconds(83))
        }
        #expect(collected.fixes.last?.time == Self.noon.advanced(by: .milliseconds(100)))
    }

    @Test func `a source that was held up catches up without losing a fix`() async throws {
        let collected = CollectedFixes()
        try await withLiveSource(configuration(rate: 10, pace: .realTime), collected) { clock in
            await clock.sleepers(atLeast: 1)
            clock.advance(by: .seconds(2))
            await eventually("all fixes of two seconds") { collected.fixes.count == 21 }
        }
        #expect(collected.fixes.map(\.time) == (0...20).map { Self.noon.advanced(by: .milliseconds(100 * $0)) })
    }

    @Test func `in real time and as fast as possible the same vehicle drives the same way`() async throws {
        let collected = CollectedFixes()
        try await withLiveSource(configuration(pace: .realTime), collected) { clock in
            await clock.sleepers(atLeast: 1)
            clock.advance(by: .seconds(30))
            await eventually("31 fixes") { collected.fixes.count == 31 }
        }
        let fast = try SimulatedDrive(configuration(pace: .asFastAsPossible)).prefix(31).compactMap { $0.fix }
        #expect(collected.fixes.map(\.coordinate) == fast.map(\.coordinate))
    }

    @Test func `a drive of three seconds ends by itself`() async throws {
        let collected = CollectedFixes()
        try await withLiveSource(configuration(duration: .seconds(3), pace: .realTime), collected) { clock in
            await clock.sleepers(atLeast: 1)
            clock.advance(by: .seconds(3))
            await eventually("the end") { collected.statuses.last == .finished }
        }
        #expect(collected.fixes.count == 3)
    }

    @Test func `between occasional fixes the source sleeps through`() async throws {
        let collected = CollectedFixes()
        collected.demand.set(.occasional(every: .seconds(60)))
        try await withLiveSource(configuration(rate: 10, pace: .realTime), collected) { clock in
            await clock.sleepers(atLeast: 1)
            #expect(clock.nextDeadline == .seconds(60))
            clock.advance(by: .seconds(60))
            await eventually("the second fix") { collected.fixes.count == 2 }
        }
        #expect(collected.statuses == [.receiving, .sleeping, .receiving, .sleeping])
        #expect(collected.fixes.last?.time == Self.noon.advanced(by: .seconds(60)))
    }

    @Test func `a sleeping source is back at once when all is wanted again`() async throws {
        let collected = CollectedFixes()
        collected.demand.set(.occasional(every: .seconds(600)))
        try await withLiveSource(configuration(pace: .realTime), collected) { clock in
            await clock.sleepers(atLeast: 1)
            clock.advance(by: .milliseconds(100_300))
            collected.demand.set(.continuous)
            await eventually("a sleep until the next second") { clock.nextDeadline == .milliseconds(700) }
            #expect(collected.fixes.count == 1)
            clock.advance(by: .milliseconds(700))
            await eventually("the second fix") { collected.fixes.count == 2 }
        }
        #expect(collected.fixes.last?.time == Self.noon.advanced(by: .seconds(101)))
    }

    @Test(arguments: [FixDemand.continuous, .occasional(every: .seconds(600))])
    func `a sleeping source ends on cancellation`(demand: FixDemand) async throws {
        let collected = CollectedFixes()
        collected.demand.set(demand)
        try await withLiveSource(configuration(pace: .realTime), collected) { clock in
            await clock.sleepers(atLeast: 1)
        }  // returns only when the source has ended; the clock never moved
        #expect(collected.fixes.count == 1)
    }

    @Test func `a tunnel is a state of its own`() async throws {
        var configuration = configuration(pace: .realTime)
        configuration.noise.dropoutsPerHour = 3_600  // from the first metre
        let collected = CollectedFixes()
        try await withLiveSource(configuration, collected) { clock in
            await clock.sleepers(atLeast: 1)
            clock.advance(by: .seconds(2))
            await eventually("the tunnel") { collected.statuses.count == 2 }
        }
        #expect(collected.statuses == [.receiving, .waiting(reason: "no satellites in a tunnel")])
    }
}
