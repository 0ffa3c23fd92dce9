import Testing
import TrackEngine
import TrackEngineFiles

/// Which of the sentences of one moment says a value, where several do.
@Suite struct NMEAEpochTests {
    private static let place = "4807.038,N,01131.000,E"
    private static let rmc = "$GPRMC,101530,A,\(place),,,010326,,,A\n"

    private static func fix(_ sentences: String...) -> Fix? {
        let chunk = read(rmc + sentences.map { "$\($0)\n" }.joined(), as: .nmea)
        #expect(chunk.problemTexts == [])
        #expect(chunk.fixes.count == 1)
        return chunk.fixes.first
    }

    @Test(
        arguments: [
            ("90.0,T,,M,19.438,N,36.0,K,A", 10, 90), ("90.0,T,,M,,N,36.0,K,A", 10, 90), (",T,,M,,N,36.0,K,A", 10, nil),
            ("90.0,T,,M,,N,,K,A", nil, 90), ("90.0,T,,M,,N,36.0,K,N", nil, nil), ("90.0,36.0,,,,,,", nil, nil),
            ("90.0,T,,M,,N,36.0,K", 10, 90),
        ] as [(String, Double?, Double?)])
    func `VTG gives the speed in knots, or in kilometres an hour where it has no knots, and the course`(
        _ fields: String, _ speed: Double?, _ course: Double?
    ) {
        let fix = Self.fix("GPVTG,\(fields)")
        #expect((fix?.speed == nil) == (speed == nil))
        #expect(abs((fix?.speed ?? 0) - (speed ?? 0)) < 0.001)
        #expect(fix?.course == course)
    }

    @Test func `speed and course of RMC stand, whatever VTG says before or after it`() {
        let rmc = "$GPRMC,101530,A,\(Self.place),3600,45,010326,,,A\n"
        let vtg = "$GPVTG,90,T,,M,7200,N,,K,A\n"
        for text in [rmc + vtg, Self.rmc + vtg + rmc] {
            let fix = read(text, as: .nmea).fixes.first
            #expect(abs((fix?.speed ?? 0) - 1852) < 0.001)
            #expect(fix?.course == 45)
        }
    }

    @Test func `of GGA and GNS the first says satellites and height, and the last the dilution`() {
        let gga = "GPGGA,101530,\(Self.place),1,08,0.9,545.4,M,46.9,M,,"
        let gns = "GNGNS,101530,\(Self.place),AN,12,0.7,500.0,40.0,,"
        let first = Self.fix(gga, gns)
        #expect(first?.satellitesUsed == 8)
        #expect(first?.altitude == 545.4)
        #expect(first?.ellipsoidalAltitude == 592.3)
        #expect(first?.horizontalDilution == 0.7)
        let second = Self.fix(gns, gga)
        #expect(second?.satellitesUsed == 12)
        #expect(second?.altitude == 500)
        #expect(second?.ellipsoidalAltitude == 540)
        #expect(second?.horizontalDilution == 0.9)
    }

    @Test(arguments: [
        ("AN", Fix.Status.normal), ("NA", .normal), ("AD", .differential), ("DA", .differential), ("ARF", .rtkFixed),
        ("FA", .rtkFloat), ("PA", .precise), ("AE", .normal), ("EN", .deadReckoning), ("SE", .deadReckoning),
    ])
    func `of the modes that GNS names for each system the most precise one counts`(
        _ modes: String, _ status: Fix.Status
    ) {
        let text = "$GNZDA,101530,01,03,2026,00,00\n$GNGNS,101530,\(Self.place),\(modes),12,0.7,500.0,40.0,,\n"
        #expect(read(text, as: .nmea).fixes.map(\.status) == [status])
    }

    @Test func `GSA gives the dilutions that nothing else gave, and the mode, three dimensions if any says so`() {
        let fix = Self.fix("GPGSA,A,2,,,,,,,,,,,,,2.5,1.5,2.0", "GPGSA,A,3,,,,,,,,,,,,,3.5,1.7,2.0")
        #expect(fix?.mode == .threeDimensional)
        #expect(fix?.positionDilution == 2.5)
        #expect(fix?.horizontalDilution == 1.5)
        #expect(Self.fix("GPGSA,A,1,,,,,,,,,,,,,2.5,1.5,2.0")?.mode == nil)
        let both = Self.fix("GPGGA,101530,\(Self.place),1,08,0.9,545.4,M,46.9,M,,", "GPGSA,A,3,,,,,,,,,,,,,2.5,1.5,2.0")
        #expect(both?.horizontalDilution == 0.9)
    }

    @Test(
        arguments: [("0", nil), ("99", nil), ("99.99", nil), ("98.5", 98.5), ("0.1", 0.1), ("-1", nil)]
            as [(String, Float?)])
    func `a dilution that says that none is known is unknown`(_ text: String, _ dilution: Float?) {
        #expect(Self.fix("GPGSA,A,3,,,,,,,,,,,,,\(text),,")?.positionDilution == dilution)
    }

    @Test func `sentences without a time belong to the epoch before them, and to none where none is open`() {
        let text = "$GPVTG,90,T,,M,7200,N,,K,A\n$GPGSA,A,3,,,,,,,,,,,,,2.5,1.5,2.0\n" + Self.rmc
        let fix = read(text, as: .nmea).fixes.first
        #expect(fix != nil)
        #expect(fix?.speed == nil)
        #expect(fix?.mode == nil)
    }
}
