import GPSDProtocol
import Testing
import TrackEngine

/// For how long, and for whom, the sky that was last heard counts.
@Suite struct SkyTests {
    private static func sky(
        _ device: String? = "a", used: Int? = nil, visible: Int? = nil, hdop: Double? = nil, pdop: Double? = nil
    ) -> SkyReport {
        var sky = SkyReport()
        (sky.device, sky.satellitesUsed, sky.satellitesVisible, sky.hdop, sky.pdop) = (
            device, used, visible, hdop, pdop
        )
        return sky
    }

    /// The fix of a device at a moment after these skies.
    private static func fix(
        _ skies: [(SkyReport, Duration)], device: String? = "a", at now: Duration
    ) -> Fix? {
        var merger = EpochMerger()
        for (sky, heard) in skies { _ = merger.add(sky, at: heard) }
        var report = PositionReport()
        report.device = device
        report.time = Timestamp(secondsSince1970: 1)
        report.mode = .threeDimensional
        report.coordinate = Coordinate(latitude: 1, longitude: 2)
        _ = merger.add(report, at: now)
        guard case .fix(let fix) = merger.flush() else { return nil }
        return fix
    }

    @Test(arguments: [(0, true), (10_000, true), (10_001, false), (-10_000, true), (-10_001, false)])
    func `a sky counts for ten seconds, before and after the fix`(_ milliseconds: Int, _ counts: Bool) {
        let heard = Duration.seconds(100)
        let fix = Self.fix(
            [(Self.sky(used: 7, visible: 9, hdop: 1.5, pdop: 2.5), heard)], at: heard + .milliseconds(milliseconds))
        #expect(fix?.satellitesUsed == (counts ? 7 : nil))
        #expect(fix?.satellitesVisible == (counts ? 9 : nil))
        #expect(fix?.horizontalDilution == (counts ? 1.5 : nil))
        #expect(fix?.positionDilution == (counts ? 2.5 : nil))
    }

    @Test func `a sky without satellites leaves those of the one before, and one without dilutions its dilutions`() {
        let fix = Self.fix(
            [
                (Self.sky(used: 7, visible: 9), .zero), (Self.sky(hdop: 1.5), .seconds(1)),
                (Self.sky(used: 8), .seconds(2)),
            ], at: .seconds(3))
        #expect(fix?.satellitesUsed == 8)
        #expect(fix?.satellitesVisible == nil)  // the newer one does not say
        #expect(fix?.horizontalDilution == 1.5)
        #expect(fix?.positionDilution == nil)
    }

    @Test func `dilutions that come again make no old satellites fresh`() {
        let fix = Self.fix([(Self.sky(used: 7), .zero), (Self.sky(hdop: 1.5), .seconds(9))], at: .seconds(12))
        #expect(fix?.satellitesUsed == nil)
        #expect(fix?.horizontalDilution == 1.5)
    }

    @Test(arguments: [("a", "b"), ("a", nil), (nil, "a")] as [(String?, String?)])
    func `the sky of another receiver describes no fix, and ends what was known`(_ first: String?, _ second: String?) {
        let skies = [(Self.sky(first, used: 7, hdop: 1.5), Duration.zero), (Self.sky(second, used: 4), .seconds(1))]
        #expect(Self.fix(skies, device: first, at: .seconds(2))?.satellitesUsed == nil)
        let other = Self.fix(skies, device: second, at: .seconds(2))
        #expect(other?.satellitesUsed == 4)
        #expect(other?.horizontalDilution == nil)
    }

    @Test(arguments: ["b", nil] as [String?])
    func `a later sky of another receiver does not end an epoch`(_ device: String?) {
        var merger = EpochMerger()
        var report = PositionReport()
        (report.device, report.time, report.mode) = ("a", Timestamp(secondsSince1970: 1), .threeDimensional)
        report.coordinate = Coordinate(latitude: 1, longitude: 2)
        #expect(merger.add(report, at: .zero) == nil)
        var sky = Self.sky(device, used: 4)
        sky.time = Timestamp(secondsSince1970: 2)
        #expect(merger.add(sky, at: .milliseconds(10)) == nil)
        #expect(merger.deadline == .milliseconds(150))
    }

    @Test(arguments: [(255, 255), (256, 255), (100_000, 255), (0, 0)])
    func `a number of satellites has its place in a fix, or the most that has`(_ number: Int, _ kept: UInt8) {
        let fix = Self.fix([(Self.sky(used: number, visible: number), .zero)], at: .zero)
        #expect(fix?.satellitesUsed == kept)
        #expect(fix?.satellitesVisible == kept)
    }
}
