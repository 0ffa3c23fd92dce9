import TestSupport
import Testing
import TrackEngine

/// How near the filter, which sees each fix once, comes to the best that hindsight can do.
@Suite("Deviation filter against the optimum")
struct DeviationOptimumTests {
    @Test(
        .enabled(if: TestEnvironment.isOptimised),
        arguments: RecordedTracks.names, [5.0, 10, 25])
    func `no more than 5 % more fixes than the best subset`(_ name: String, _ bound: Double) throws {
        guard let fixes = try RecordedTracks.fixes(name) else { return }
        let best = OptimalSubset.count(fixes, within: bound)
        let kept = DeviationFilterTests.kept(fixes, within: bound).count
        #expect(Double(kept) <= 1.05 * Double(best), "\(name), \(bound) m: \(kept) kept, the best subset has \(best)")
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func `on tracks of our own, too`(seed: UInt64) {
        let fixes = TestTracks.all[1].fixes(3000, seed: seed)
        let best = OptimalSubset.count(fixes, within: 10)
        let kept = DeviationFilterTests.kept(fixes, within: 10).count
        #expect(Double(kept) <= 1.05 * Double(best), "seed \(seed): \(kept) kept, the best subset has \(best)")
    }

    @Test(arguments: UInt64(1)...20)
    func `the reference itself finds the best subset of small tracks`(seed: UInt64) {
        let fixes = TestTracks.all[0].fixes(9, seed: seed)
        var fewest = fixes.count
        for choice in 0..<(1 << 7) {
            let kept = fixes.enumerated().filter {
                $0.offset == 0 || $0.offset == 8 || choice >> ($0.offset - 1) & 1 == 1
            }
            guard kept.count < fewest else { continue }
            if TrackChecker(fixes: fixes, kept: kept.map(\.element)).largest <= 10 { fewest = kept.count }
        }
        #expect(abs(OptimalSubset.count(fixes, within: 10) - fewest) == 0, "seed \(seed)")
    }
}
