import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineFiles
import TrackEngineSettings

@Suite struct NMEAWriterTests {
    private func lines(_ records: RecordDraft...) -> [String] {
        SampleRecords.document(.nmea, records).split(separator: "\r\n").map(String.init)
    }

    private func lines(at coordinate: Coordinate, time: Timestamp = SampleRecords.start) -> [String] {
        lines(
            SampleRecords.record(1, at: time, latitude: coordinate.latitude, longitude: coordinate.longitude))
    }

    /// 10 m/s are 19.438 kn; a radius of 4.895493 m is 4.895493 m / (2 · √2) = 1.731 m along each axis, 3.919928 m of
    /// altitude are 1.960 m. The checksums were computed by another program.
    @Test func `a fix with all there is becomes RMC, GGA and GST`() {
        #expect(
            lines(SampleRecords.full) == [
                "$GPRMC,100000.120,A,5231.20000,N,01324.30000,W,19.438,271.25,010326,,,S*6E",
                "$GPGGA,100000.120,5231.20000,N,01324.30000,W,8,10,0.90,34.500,M,39.750,M,,*47",
                "$GPGST,100000.120,,,,,1.731,1.731,1.960*6B",
            ])
    }

    @Test func `a fix with nothing but place and time has empty fields`() {
        #expect(
            lines(SampleRecords.bare) == [
                "$GPRMC,100001.120,A,0000.03000,S,18000.00000,E,,,010326,,,A*7C",
                "$GPGGA,100001.120,0000.03000,S,18000.00000,E,1,,,,M,,M,,*56",
            ])
    }

    @Test func `lines end in CR LF and hold at most the 82 characters of the standard`() {
        let document = SampleRecords.document(.nmea, [SampleRecords.full])
        #expect(document.hasSuffix("\r\n"))
        #expect(document.split(separator: "\r\n").allSatisfy { $0.utf8.count + 2 <= 82 })
    }

    @Test(arguments: [
        (0.0, "0000.00000,N"), (-0.000_000_01, "0000.00000,S"), (59.999_999_95, "6000.00000,N"),
        (7.083_333_333, "0705.00000,N"), (-89.999_99, "8959.99940,S"), (90, "9000.00000,N"),
    ])
    func `latitudes are degrees and minutes, and never sixty of those`(degrees: Double, field: String) {
        #expect(lines(at: Coordinate(latitude: degrees, longitude: 0))[0].contains(",A,\(field),00000.00000,E,"))
    }

    @Test(arguments: [(179.999_999_99, "18000.00000,E"), (-179.5, "17930.00000,W"), (9.1, "00906.00000,E")])
    func `longitudes have three digits of degrees`(degrees: Double, field: String) {
        #expect(lines(at: Coordinate(latitude: 0, longitude: degrees))[0].contains(",N,\(field),"))
    }

    @Test(arguments: [
        ("2026-12-31T23:59:59.999999999Z", "235959.999", "311226"), ("2000-01-01T00:00:00Z", "000000.000", "010100"),
        ("1980-01-06T23:00:00.5Z", "230000.500", "060180"),
    ])
    func `times are cut to milliseconds and dates have two digits of year`(
        text: String, time: String, date: String
    ) throws {
        let line = lines(at: Coordinate(latitude: 0, longitude: 0), time: try #require(Timestamp(text)))[0]
        #expect(line.hasPrefix("$GPRMC,\(time),"))
        #expect(line.contains(",\(date),"))
    }

    @Test(arguments: [
        (Fix.Status.normal, "1", "A"), (.differential, "2", "D"), (.precise, "3", "P"), (.rtkFixed, "4", "R"),
        (.rtkFloat, "5", "F"), (.deadReckoning, "6", "E"), (.surveyed, "7", "M"), (.simulated, "8", "S"),
        (.combined, "1", "A"),
    ])
    func `the kind of fix is told by quality and mode indicator`(status: Fix.Status, quality: String, mode: String) {
        let fix = Fix(time: SampleRecords.start, coordinate: Coordinate(latitude: 1, longitude: 2), status: status)
        let record = RecordDraft(id: RecordID(rawValue: 1), fix: fix, isMoving: true, cause: .first, source: "s")
        let sentences = lines(record)
        #expect(sentences[0].contains(",,,\(mode)*"))
        #expect(sentences[1].contains(",E,\(quality),"))
    }

    @Test func `a negative altitude and separation keep their signs`() {
        let fix = Fix(
            time: SampleRecords.start, coordinate: Coordinate(latitude: 1, longitude: 2), altitude: -0.25,
            ellipsoidalAltitude: -30.5)
        let record = RecordDraft(id: RecordID(rawValue: 1), fix: fix, isMoving: true, cause: .first, source: "s")
        #expect(lines(record)[1].contains(",-0.250,M,-30.250,M,"))
    }
}
