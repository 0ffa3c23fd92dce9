import TestSupport
import Testing
import TrackEngine

/// The bound holds, whatever the track does; the checker shares nothing with the filter.
@Suite("Deviation filter")
struct DeviationFilterTests {
    static func kept(_ fixes: [Fix], within bound: Double, height: Double? = nil) -> [Fix] {
        var filter = DeviationFilter(maximumDeviation: bound, maximumAltitudeDeviation: height)
        var kept: [Fix] = []
        for fix in fixes { filter.offer(fix) { kept.append($0) } }
        filter.flush { kept.append($0) }
        return kept
    }

    /// What rounding may add to the bound, in metres: longitudes near 180 are exact to 1 nm, their differences to 3.
    static let rounding = 1e-6

    @Test(
        .enabled(if: TestEnvironment.isOptimised),
        arguments: TestTracks.all, TestTracks.places)
    func `no fix is farther from the rebuilt track than the bound`(_ maker: TestTracks.Maker, _ place: Coordinate) {
        for seed in UInt64(1)...3 {
            for bound in [1.0, 10, 60] {
                let fixes = maker.fixes(600, seed: seed, at: place)
                let check = TrackChecker(fixes: fixes, kept: Self.kept(fixes, within: bound))
                #expect(check.defects == [], "seed \(seed), bound \(bound)")
                #expect(check.largest <= bound + Self.rounding, "seed \(seed), bound \(bound)")
            }
        }
    }

    @Test(arguments: TestTracks.all)
    func `nor is any height, when heights matter`(_ maker: TestTracks.Maker) {
        for seed in UInt64(1)...3 {
            let fixes = maker.fixes(2000, seed: seed)
            let check = TrackChecker(fixes: fixes, kept: Self.kept(fixes, within: 15, height: 6))
            #expect(check.defects == [], "seed \(seed)")
            #expect(check.largest <= 15 + Self.rounding, "seed \(seed)")
            #expect(check.largestInHeight <= 6 + Self.rounding, "seed \(seed)")
        }
    }

    @Test(arguments: RecordedTracks.names, [5.0, 10, 25])
    func `recorded tracks stay within the bound`(_ name: String, _ bound: Double) throws {
        guard let fixes = try RecordedTracks.fixes(name) else { return }
        let flat = TrackChecker(fixes: fixes, kept: Self.kept(fixes, within: bound))
        #expect(flat.defects == [])
        #expect(flat.largest <= bound + Self.rounding)
        let high = TrackChecker(fixes: fixes, kept: Self.kept(fixes, within: bound, height: 5))
        #expect(high.defects == [])
        #expect(max(high.largest - bound, high.largestInHeight - 5) <= Self.rounding)
    }

    @Test
    func `a straight and even way of 100 000 fixes is its two ends`() {
        let fixes = (0..<100_000).map { Road.fix(Double($0), metres: Double($0) * 0.3) }
        #expect(Self.kept(fixes, within: 10) == [fixes[0], fixes[99_999]])
    }

    @Test
    func `a right angle is its two ends and the fix nearest to the corner that will do`() {
        // North at 10 m/s for 50 s, then east. Within 10 m, the fix at the corner, one before or one after would do.
        let fixes = (0...100).map { (second: Int) -> Fix in
            let (north, east) = (Double(min(second, 50)) * 10, Double(max(second - 50, 0)) * 10)
            return Fix(
                time: Road.start.advanced(by: .seconds(second)),
                coordinate: Coordinate(latitude: north / 110_574.4, longitude: 10 + east / 111_319.5))
        }
        let kept = Self.kept(fixes, within: 10)
        #expect(kept.count == 3)
        #expect([49, 50, 51].map { fixes[$0] }.contains(kept[1]))
    }

    @Test
    func `the first fix is kept at once, and nothing else before it is needed`() {
        var filter = DeviationFilter(maximumDeviation: 10)
        var kept: [Fix] = []
        filter.offer(Road.fix(0)) { kept.append($0) }
        #expect(kept == [Road.fix(0)])
        #expect(!filter.hasUndecided)
        for second in 1...20 { filter.offer(Road.fix(Double(second), metres: 5)) { kept.append($0) } }
        #expect(kept.count == 1)
        #expect(filter.hasUndecided)
        filter.flush { kept.append($0) }
        #expect(kept == [Road.fix(0), Road.fix(20, metres: 5)])
        #expect(!filter.hasUndecided)
        filter.flush { kept.append($0) }
        #expect(kept.count == 2)
    }

    @Test(arguments: [5.0, 4])
    func `a time that is not later begins a new track`(_ second: Double) {
        var filter = DeviationFilter(maximumDeviation: 10)
        var kept: [Fix] = []
        for fix in [Road.fix(0), Road.fix(3), Road.fix(5), Road.fix(second, metres: 70)] {
            filter.offer(fix) { kept.append($0) }
        }
        #expect(kept == [Road.fix(0), Road.fix(5), Road.fix(second, metres: 70)])
    }

    @Test(arguments: TestTracks.all)
    func `what it decides after a kept fix depends on that fix and those after it alone`(_ maker: TestTracks.Maker) {
        let fixes = maker.fixes(400, seed: 11)
        let whole = Self.kept(fixes, within: 12)
        for (number, kept) in whole.enumerated() {
            var filter = DeviationFilter(maximumDeviation: 12)
            filter.restart(at: kept)
            var rest: [Fix] = []
            for fix in fixes where fix.time > kept.time { filter.offer(fix) { rest.append($0) } }
            filter.flush { rest.append($0) }
            #expect(rest == Array(whole[(number + 1)...]))
        }
    }

    @Test(arguments: [1, 2, 3, 7, 50])
    func `flushing anywhere keeps the bound`(_ period: Int) {
        let fixes = TestTracks.all[1].fixes(1000, seed: 5)
        var filter = DeviationFilter(maximumDeviation: 10)
        var kept: [Fix] = []
        for (number, fix) in fixes.enumerated() {
            filter.offer(fix) { kept.append($0) }
            if number % period == 0 {
                filter.flush { kept.append($0) }
                #expect(kept.last == fix)
            }
        }
        filter.flush { kept.append($0) }
        let check = TrackChecker(fixes: fixes, kept: kept)
        #expect(check.defects == [])
        #expect(check.largest <= 10 + Self.rounding)
    }
}
