import GPSDProtocol
import Testing
import TrackEngine

@Suite("Merging of an epoch's reports")
struct EpochMergerTests {
    private func report(
        _ second: Int64?, _ mode: Fix.Mode? = .threeDimensional, longitude: Double? = 11.5, device: String = "a",
        _ change: (inout PositionReport) -> Void = { _ in }
    ) -> PositionReport {
        var report = PositionReport()
        report.device = device
        report.time = second.map { Timestamp(secondsSince1970: $0) }
        report.mode = mode
        report.coordinate = longitude.map { Coordinate(latitude: 48, longitude: $0) }
        change(&report)
        return report
    }

    /// Feeds reports at milliseconds and answers the fixes, the last epoch included.
    private func fixes(_ timed: [(Int, PositionReport)]) -> [Fix] {
        var merger = EpochMerger()
        var outcomes: [EpochMerger.Outcome?] = []
        for (milliseconds, report) in timed {
            outcomes.append(merger.timeout(at: .milliseconds(milliseconds)))
            outcomes.append(merger.add(report, at: .milliseconds(milliseconds)))
        }
        outcomes.append(merger.flush())
        return outcomes.compactMap { outcome in
            if case .fix(let fix) = outcome { fix } else { nil }
        }
    }

    @Test
    func `reports of one time make one fix that knows what each of them knew`() throws {
        let merged = fixes([
            (0, report(1) { $0.altHAE = 567 }),
            (
                10,
                report(1) {
                    $0.altMSL = 520
                    $0.speed = 3
                }
            ),
            (
                20,
                report(1) {
                    $0.speed = 4
                    $0.eph = 2.5
                }
            ),
        ])
        let fix = try #require(merged.first)
        #expect(merged.count == 1)
        #expect(fix.ellipsoidalAltitude == 567)
        #expect(fix.altitude == 520)
        #expect(fix.speed == 4)
        #expect(fix.horizontalAccuracy == 2.5)
    }

    @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 2, 0]])
    func `the best mode of the epoch wins, whenever it comes`(order: [Int]) throws {
        let all = [
            report(1, nil, longitude: nil), report(1, .twoDimensional, longitude: 11.1),
            report(1, .threeDimensional, longitude: 11.2),
        ]
        let merged = fixes(order.enumerated().map { ($0.offset, all[$0.element]) })
        #expect(merged.map(\.mode) == [.threeDimensional])
        #expect(merged.map(\.coordinate.longitude) == [11.2])
    }

    @Test(
        arguments: [
            ([1, 2, 3], [1, 2, 3]), ([1, 1, 2, 2], [1, 2]), ([5, 4, 6], [5, 4, 6]), ([1, 2, 1], [1, 2, 1]),
        ])
    func `times as they come: next, back, other device`(input: [Int64], expected: [Int64]) {
        let merged = fixes(input.enumerated().map { ($0.offset * 10, report($0.element)) })
        #expect(merged.map(\.time.secondsSince1970) == expected)
    }

    @Test
    func `two devices with the same time are two epochs`() {
        let merged = fixes([(0, report(1, device: "a")), (1, report(1, longitude: 12, device: "b"))])
        #expect(merged.map(\.coordinate.longitude) == [11.5, 12])
    }

    @Test
    func `an epoch ends after 150 ms without more of it, not before`() {
        var merger = EpochMerger()
        #expect(merger.deadline == nil)
        #expect(merger.add(report(1), at: .milliseconds(1000)) == nil)
        #expect(merger.deadline == .milliseconds(1150))
        #expect(merger.timeout(at: .milliseconds(1149)) == nil)
        #expect(merger.timeout(at: .milliseconds(1150)) != nil)
        #expect(merger.deadline == nil)
        #expect(merger.timeout(at: .milliseconds(9000)) == nil)
    }

    @Test
    func `at 10 Hz each fix is out when the next epoch begins, 100 ms later`() {
        var merger = EpochMerger()
        var out: [Bool] = []
        for tick in 0..<20 {
            let now = Duration.milliseconds(tick * 100)
            #expect(merger.timeout(at: now) == nil)
            let tenth = Timestamp(secondsSince1970: 0, nanoseconds: Int64(tick) * 100_000_000)
            out.append(merger.add(report(0) { $0.time = tenth }, at: now) != nil)
        }
        #expect(out == [false] + Array(repeating: true, count: 19))
    }

    @Test
    func `a slow serial line teaches it to wait: the third epoch of two halves 400 ms apart is whole`() {
        var timed: [(Int, PositionReport)] = []
        for second in 0..<4 {
            timed.append((second * 1000, report(Int64(second)) { $0.altHAE = 567 }))
            timed.append((second * 1000 + 400, report(Int64(second)) { $0.altMSL = 520 }))
        }
        let merged = fixes(timed)
        #expect(merged.map(\.time.secondsSince1970) == [0, 1, 2, 3])
        #expect(merged.map(\.altitude) == [nil, 520, 520, 520])
        #expect(merged.allSatisfy { $0.ellipsoidalAltitude == 567 })
    }

    @Test(arguments: [(50, 150), (200, 300), (800, 900)])
    func `the wait is 3/2 of the longest gap inside its bounds`(gap: Int, expected: Int) {
        var merger = EpochMerger()
        _ = merger.add(report(1), at: .zero)
        _ = merger.add(report(1), at: .milliseconds(gap))
        #expect(merger.wait == .milliseconds(expected))
    }

    @Test(
        arguments: [600, 700])
    func `a last report that is late in one epoch of thirty is waited for from the second time on`(gap: Int) {
        var timed: [(Int, PositionReport)] = []
        for second in 0..<120 {
            timed.append((second * 1000, report(Int64(second)) { $0.speed = 5.2 }))
            guard second % 30 == 0 else { continue }
            timed.append((second * 1000 + gap, report(Int64(second)) { $0.speed = 0 }))
        }
        let speeds = fixes(timed).map(\.speed)
        #expect(speeds.count == 120)
        #expect([0, 30, 60, 90].map { speeds[$0] } == [5.2, 0, 0, 0])
    }

    @Test
    func `a gap that has not come again for 64 epochs is waited for no longer`() {
        var merger = EpochMerger()
        for (second, gap) in [(0, 0), (0, 600)] + (1..<64).map({ ($0, 0) }) {
            _ = merger.add(report(Int64(second)), at: .seconds(second) + .milliseconds(gap))
            if second < 32 { #expect(merger.wait == (gap > 0 || second > 0 ? .milliseconds(900) : .milliseconds(150))) }
        }
        #expect(merger.wait == .milliseconds(150))
    }

    @Test
    func `the same time after a pause is passed on, for the pipeline to judge`() {
        #expect(fixes([(0, report(1)), (1000, report(1)), (2000, report(1))]).count == 3)
    }

    @Test(
        arguments: [
            (1, nil, 11.5, EpochMerger.Outcome.noFix), (1, .twoDimensional, nil, .noFix),
            (nil, nil, nil, .noFix), (nil, .threeDimensional, 11.5, .timeless),
        ] as [(Int64?, Fix.Mode?, Double?, EpochMerger.Outcome)])
    func `no fix without mode, position or time`(
        second: Int64?, mode: Fix.Mode?, longitude: Double?, expected: EpochMerger.Outcome
    ) {
        var merger = EpochMerger()
        let outcomes = [merger.add(report(second, mode, longitude: longitude), at: .zero), merger.flush()]
        #expect(outcomes.compactMap(\.self) == [expected])
    }

    @Test
    func `reports without a time neither end nor join an epoch`() {
        let merged = fixes([(0, report(1)), (5, report(nil, longitude: 99)), (10, report(1) { $0.speed = 2 })])
        #expect(merged.map(\.speed) == [2])
        #expect(merged.map(\.coordinate.longitude) == [11.5])
    }

    @Test
    func `satellites and dilutions of the same device, while they are fresh`() {
        var merger = EpochMerger()
        var satellites = SkyReport()
        satellites.device = "a"
        satellites.satellitesUsed = 7
        satellites.satellitesVisible = 300
        var dilutions = SkyReport()
        dilutions.device = "a"
        dilutions.hdop = 0.5
        _ = merger.add(satellites, at: .zero)
        _ = merger.add(dilutions, at: .seconds(5))
        var seen: [[Double?]] = []
        for second in [6, 12, 16] {
            _ = merger.add(report(Int64(second)), at: .seconds(second))
            if case .fix(let fix) = merger.flush() {
                seen.append([
                    fix.satellitesUsed.map(Double.init), fix.satellitesVisible.map(Double.init),
                    fix.horizontalDilution.map(Double.init),
                ])
            }
        }
        #expect(seen == [[7, 255, 0.5], [nil, nil, 0.5], [nil, nil, nil]])
    }

    @Test
    func `a sky that is later than the open epoch ends it and describes the next one`() {
        var merger = EpochMerger()
        var sky = SkyReport()
        sky.device = "a"
        sky.satellitesUsed = 5
        sky.time = Timestamp(secondsSince1970: 1)
        #expect(merger.add(sky, at: .zero) == nil)
        #expect(merger.add(report(1), at: .zero) == nil)
        sky.satellitesUsed = 9
        #expect(merger.add(sky, at: .zero) == nil)  // of the same epoch
        sky.satellitesUsed = 7
        sky.time = Timestamp(secondsSince1970: 2)
        let ended = merger.add(sky, at: .milliseconds(50))
        let next = [merger.add(report(2), at: .milliseconds(60)), merger.flush()]
        let used = ([ended] + next).compactMap(\.self).map { outcome -> UInt8? in
            if case .fix(let fix) = outcome { fix.satellitesUsed } else { nil }
        }
        #expect(used == [9, 7])
    }

    @Test(arguments: [[0, 1], [1, 0]])
    func `what a report without a solution says of the place counts for nothing`(order: [Int]) {
        let all = [
            report(1, nil, longitude: 0) { $0.speed = 99 }, report(1, .twoDimensional, longitude: nil) { $0.eph = 4 },
        ]
        #expect(fixes(order.enumerated().map { ($0.offset, all[$0.element]) }) == [])
    }

    @Test(
        arguments: [
            (2.5, 3, 4, 2.5), (nil, 3, 4, 5), (nil, 3, nil, nil), (nil, nil, nil, nil),
        ] as [(Double?, Double?, Double?, Double?)])
    func `horizontal accuracy is eph, else the root of epx² + epy², else unknown`(
        eph: Double?, epx: Double?, epy: Double?, expected: Double?
    ) {
        let merged = fixes([
            (
                0,
                report(1) {
                    $0.eph = eph
                    $0.epx = epx
                    $0.epy = epy
                }
            )
        ])
        #expect(merged.map(\.horizontalAccuracy) == [expected])
    }

    @Test(
        arguments: [
            (520, 567, 47, 511, 520), (nil, nil, nil, 520, 520), (nil, 567, nil, 567, nil), (nil, 567, nil, 520, 520),
            (nil, 567, 47, 520, 520), (nil, 567, 47, 567, nil), (nil, 567, 0, 567, 567), (nil, 567, 47, nil, nil),
        ] as [(Double?, Double?, Double?, Double?, Double?)])
    func `the deprecated alt counts only where it must be above the sea`(
        msl: Double?, hae: Double?, separation: Double?, alt: Double?, expected: Double?
    ) {
        let merged = fixes([
            (
                0,
                report(1) {
                    $0.altMSL = msl
                    $0.altHAE = hae
                    $0.geoidSeparation = separation
                    $0.alt = alt
                }
            )
        ])
        #expect(merged.map(\.altitude) == [expected])
        #expect(merged.map(\.ellipsoidalAltitude) == [hae])
    }

    @Test
    func `a simulator's fix is flagged`() {
        #expect(fixes([(0, report(1) { $0.status = .simulated })]).map(\.flags) == [.simulated])
    }
}
