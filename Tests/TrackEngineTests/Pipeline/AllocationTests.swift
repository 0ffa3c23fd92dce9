import AllocationProbe
import Testing
import TrackEngine

/// Counts what the hot path allocates, by standing in for `malloc`.
@Suite struct AllocationTests {
    static func allocations(_ body: () -> Void) -> Int64 {
        allocation_probe_start()
        body()
        let count = allocation_probe_count()
        allocation_probe_stop()
        return count
    }

    @Test
    func `the probe sees an allocation`() {
        var kept: [[Int]] = []
        let count = Self.allocations { for length in 1...10 { kept.append(Array(repeating: 1, count: length)) } }
        #expect(count >= 10 || count == -1)
        #expect(kept.count == 10)
    }

    @Test
    func `the distance filter allocates nothing`() {
        let filter = DistanceFilter()
        var kept = 0
        let count = Self.allocations {
            for step in 0..<10_000 where filter.keeps(distance: Double(step % 400), speed: Double(step % 40)) {
                kept += 1
            }
        }
        #expect(count <= 0)
        #expect(kept > 0)
    }

    @Test
    func `gates, motion and filter allocate nothing, whatever becomes of a fix`() {
        let fixes = (0..<5000).map { (step: Int) -> Fix in
            let metres = step % 1000 < 500 ? Double(step) * 3 : 0
            return Road.fix(Double(step), metres: metres, speed: Double(step % 30))
        }
        var configuration = RecordingConfiguration.calmGeo
        configuration.fetchActivity = true
        configuration.minimumAccuracy = 50
        configuration.maximumSpeed = 5000
        var (records, rejections) = (0, 0)
        func run(_ fixes: UnsafeBufferPointer<Fix>) {
            var pipeline = TrackPipeline(configuration, timeBase: .fixTime)
            var index = 0  // by hand: in a debug build the standard iterator allocates for itself
            while index < fixes.count {
                pipeline.replay(fixes[index], wallClock: Road.start) {
                    switch $1 {
                    case .record: records += 1
                    case .reject, .undecided, .standby: rejections += 1
                    }
                }
                index += 1
            }
        }
        let count = fixes.withUnsafeBufferPointer { fixes in
            run(fixes)  // once before: the runtime makes its tables on first use
            return Self.allocations { run(fixes) }
        }
        #expect(count <= 0)
        #expect(records > 10)
        #expect(rejections > 10)
    }

    @Test
    func `the rule deviation allocates nothing after its window, whatever the track does`() {
        let fixes = TestTracks.all[1].fixes(5000, seed: 3)
        var configuration = RecordingConfiguration.calmGeo
        configuration.record = .deviation
        var (records, undecided) = (0, 0)
        func run(_ fixes: UnsafeBufferPointer<Fix>, _ pipeline: inout TrackPipeline) {
            var index = 0
            while index < fixes.count {
                pipeline.process(fixes[index], at: TrackInstant(fixes[index].time)) {
                    switch $1 {
                    case .record: records += 1
                    case .undecided, .reject, .standby: undecided += 1
                    }
                }
                index += 1
            }
        }
        let count = fixes.withUnsafeBufferPointer { fixes in
            var (first, second) = (
                TrackPipeline(configuration, timeBase: .fixTime), TrackPipeline(configuration, timeBase: .fixTime)
            )
            run(fixes, &first)
            return Self.allocations { run(fixes, &second) }
        }
        #if DEBUG  // there the standard library's iterators and sequences allocate for themselves
            #expect(count <= 4 * 5000)
        #else
            #expect(count <= 0)
        #endif
        #expect(records > 100)
        #expect(undecided > 1000)
    }
}
