import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles
import TrackEngineTestKit

@Suite("The replay source")
struct SourceTests {
    /// A CSV whose times are these seconds after 2026-03-01T10:00:00Z.
    private func withTrack(_ seconds: [Int], _ body: (String) async throws -> Void) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let rows = seconds.map { "\(1_772_359_200 + $0),1,\($0)\n" }.joined()
            try write(Array(("time,lat,lon\n" + rows).utf8), to: directory + "/track.csv")
            try await body(directory + "/track.csv")
        }
    }

    @Test
    func `as fast as possible all fixes come in order, problems are reported, and it finishes`() async throws {
        try await withTrack(Array(0..<1000)) { path in
            let collected = CollectedFixes()
            try await ReplaySource(configuration: .init(path: path)).run(collected.output)
            #expect(collected.fixes.map(\.coordinate.longitude) == (0..<1000).map(Double.init))
            #expect(collected.statuses == [.connecting, .receiving, .finished])
        }
    }

    @Test
    func `batches are bounded`() async throws {
        try await withTrack(Array(0..<1000)) { path in
            let largest = Largest()
            let output = FixOutput(emit: { fixes throws(CancellationError) in await largest.see(fixes.count) })
            try await ReplaySource(configuration: .init(path: path)).run(output)
            #expect(await largest.count == 256)
        }
    }

    @Test
    func `the fixes' own time is the time base`() throws {
        #expect(try ReplaySource(configuration: .init(path: "x")).timeBase == .fixTime)
    }

    @Test
    func `a paced replay waits as long as the fixes lie apart, divided by the speed; a step back does not hang`()
        async throws
    {
        try await withTrack([0, 1, 61, 60, 62]) { path in
            let clock = ManualClock()
            let collected = CollectedFixes()
            let source = try ReplaySource(configuration: .init(path: path, pace: .speed(10)), clock: clock)
            async let run: Void = source.run(collected.output)
            for (wait, count) in [(100, 1), (6000, 2), (200, 4)] {
                await clock.sleepers(atLeast: 1)
                #expect(collected.fixes.count == count)
                #expect(clock.nextDeadline == .milliseconds(wait))
                clock.advance(by: .milliseconds(wait - 1))
                #expect(clock.nextDeadline == .milliseconds(1))
                clock.advance(by: .milliseconds(1))
            }
            try await run
            #expect(collected.fixes.count == 5)
        }
    }

    @Test
    func `a paced replay can be cancelled while it waits`() async throws {
        try await withTrack([0, 3600]) { path in
            let clock = ManualClock()
            let collected = CollectedFixes()
            let source = try ReplaySource(configuration: .init(path: path, pace: .speed(1)), clock: clock)
            let task = Task { try await source.run(collected.output) }
            await clock.sleepers(atLeast: 1)
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(collected.fixes.count == 1)
            #expect(!collected.statuses.contains(.finished))
        }
    }

    @Test(
        arguments: [0, -1, .leastNonzeroMagnitude, 1e-25, 0.009, 100_001, 1e300, .infinity, .nan])
    func `a speed outside of what a replay can have is refused`(speed: Double) {
        #expect(throws: ConfigurationError.self) {
            try ReplaySource(configuration: .init(path: "x", pace: .speed(speed)))
        }
    }

    @Test
    func `times centuries apart at the slowest and the fastest speed are waited for, and a wait can be cancelled`()
        async throws
    {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let days = ["1678-01-01", "2262-01-01", "1678-01-02", "2261-12-31"]
            let rows = days.map { "\($0)T00:00:00Z,1,2\n" }.joined()
            try write(Array(("time,lat,lon\n" + rows).utf8), to: directory + "/a.csv")
            for speed in [ReplayPace.speeds.lowerBound, ReplayPace.speeds.upperBound] {
                let collected = CollectedFixes()
                let source = try ReplaySource(configuration: .init(path: directory + "/a.csv", pace: .speed(speed)))
                let task = Task { try await source.run(collected.output) }
                await eventually("the first fix") { collected.fixes.count >= 1 }
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
                #expect(collected.fixes.count == 1)
            }
        }
    }

    @Test
    func `a step of centuries is due after a year`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let rows = ["1995-01-01", "2200-01-01"].map { "\($0)T00:00:00Z,1,2\n" }.joined()
            try write(Array(("time,lat,lon\n" + rows).utf8), to: directory + "/a.csv")
            let (clock, collected) = (ManualClock(), CollectedFixes())
            let source = try ReplaySource(
                configuration: .init(path: directory + "/a.csv", pace: .speed(0.01)), clock: clock)
            async let run: Void = source.run(collected.output)
            await clock.sleepers(atLeast: 1)
            #expect(clock.nextDeadline == .seconds(365 * 86_400))
            clock.advance(by: .seconds(365 * 86_400))
            try await run
            #expect(collected.fixes.count == 2)
        }
    }

    @Test
    func `a loop goes on forward in time, by the track's span and its last step`() async throws {
        try await withTrack([0, 1, 3]) { path in
            let collected = CollectedFixes()
            let source = try ReplaySource(configuration: .init(path: path, loop: true))
            let enough = FixOutput(emit: { fixes throws(CancellationError) in
                if collected.fixes.count >= 9 { throw CancellationError() }
                try await collected.output.emit(contentsOf: fixes)
            })
            await #expect(throws: CancellationError.self) { try await source.run(enough) }
            let seconds = collected.fixes.map { $0.time.secondsSince1970 - 1_772_359_200 }
            #expect(seconds == [0, 1, 3, 5, 6, 8, 10, 11, 13])
        }
    }

    @Test
    func `a loop over a file without fixes ends`() async throws {
        try await withTrack([]) { path in
            let collected = CollectedFixes()
            try await ReplaySource(configuration: .init(path: path, loop: true)).run(collected.output)
            #expect(collected.statuses.last == .finished)
        }
    }

    @Test
    func `a missing file is unavailable, by name and reason, and thrown for the supervisor`() async {
        let collected = CollectedFixes()
        await #expect(throws: ReplayError.self) {
            try await ReplaySource(configuration: .init(path: "/nowhere/a.gpx")).run(collected.output)
        }
        #expect(collected.statuses == [.connecting, .unavailable(reason: "/nowhere/a.gpx: no such file")])
    }

    @Test
    func `problems reach the output with their lines`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            try write(Array("time,lat,lon\noops,1,2\n1772359200,1,2\n".utf8), to: directory + "/a.csv")
            let collected = CollectedFixes()
            try await ReplaySource(configuration: .init(path: directory + "/a.csv")).run(collected.output)
            #expect(collected.problems.map(\.line) == [2])
            #expect(collected.fixes.count == 1)
        }
    }
}

/// Remembers the largest number it has seen.
private actor Largest {
    private(set) var count = 0

    func see(_ count: Int) { self.count = max(self.count, count) }
}
