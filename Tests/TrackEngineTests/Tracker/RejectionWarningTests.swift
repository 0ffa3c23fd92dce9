import Testing
import TrackEngine
import TrackEngineTestKit

/// A tracker whose gates refuse all that a source gives says so.
@Suite struct RejectionWarningTests {
    private func refusal(_ harness: TrackerHarness) async -> RejectionWarning? {
        await harness.tracker.status().sources.first?.steadyRefusal
    }

    @Test func `a receiver two hours behind the machine is told after a minute, and no more once its fixes pass`()
        async throws
    {
        let harness = try TrackerHarness { $0 = RecordingConfiguration(.miataru3) }
        try await harness.run {
            for second in 0...60 {
                #expect(await refusal(harness) == nil)
                try await harness.source.feed(Road.fix(Double(second) - 7200, metres: Double(second) * 20))
                harness.clock.advance(by: .seconds(1))
            }
            let refusal = try #require(await refusal(harness))
            #expect(refusal.reason == .stale && refusal.fixes == 61 && refusal.lag == .seconds(7200))
            #expect(try await harness.stored().isEmpty)
            try await harness.source.feed(Road.fix(61, metres: 1220))
            #expect(await self.refusal(harness) == nil)
            #expect(try await harness.stored().count == 1)
        }
    }

    @Test func `fixes that pass and are too near are no refusal`() async throws {
        let harness = try TrackerHarness { $0.neverRest() }
        try await harness.run {
            for second in 0...70 {
                try await harness.source.feed(Road.fix(Double(second)))
                harness.clock.advance(by: .seconds(1))
            }
            #expect(await refusal(harness) == nil)
        }
    }
}
