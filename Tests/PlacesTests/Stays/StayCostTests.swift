import AllocationProbe
import Testing
import TrackEngine
import TrackEnginePlaces

@Suite struct StayCostTests {
    @Test func `a fix that leads to no event allocates nothing`() throws {
        for scenario in [Scenario.carTown, .indoors, .phone] {
            let fixes = ObservedTrack(scenario.track(seed: 71)).fixes
            var detector = try VisitAndTripDetector(device: "van-7")
            // Types are set up at their first use: that is no cost of a fix.
            var warm = detector
            for fix in fixes.prefix(1000) { warm.observe(fix) { _ in } }
            var (silent, allocations) = (0, Int64(0))
            for fix in fixes {
                var events = 0
                allocation_probe_start()
                detector.observe(fix) { _ in events += 1 }
                let count = allocation_probe_count()
                allocation_probe_stop()
                guard events == 0, count >= 0 else { continue }
                silent += 1
                allocations += count
            }
            #expect(silent == 0 || silent > fixes.count / 2)
            #expect(allocations == 0, "\(scenario.rawValue)")
        }
    }
}
