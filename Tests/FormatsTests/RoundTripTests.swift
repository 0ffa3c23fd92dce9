import Testing
import TrackEngine
import TrackEngineFiles

/// What a writer wrote the reader reads back: as many fixes, in the same order, each the same to the format's resolution.
@Suite("Written and read again")
struct RoundTripTests {
    /// NMEA has two digits for the year.
    private static func years(_ format: TrackFormat) -> ClosedRange<Int64> {
        format == .nmea ? 1981...2078 : 1700...2250
    }

    private static func document(_ format: TrackFormat, _ records: [RecordDraft]) -> [UInt8] {
        var writer = format.makeWriter()
        var bytes: [UInt8] = []
        writer.begin(&bytes)
        for record in records { writer.append(record, to: &bytes) }
        writer.end(&bytes)
        return bytes
    }

    @Test(arguments: TrackFormat.allCases, 1...12)
    func `a generated track is the same track`(_ format: TrackFormat, _ seed: Int) {
        var track = GeneratedTrack(seed: UInt64(seed), years: Self.years(format))
        var records = track.records(400, source: "van, \"7\" <&>")
        if format != .nmea { records += track.records(300, source: "other\r\n") }
        let chunk = format.read(Self.document(format, records))
        #expect(chunk.problems.isEmpty)
        #expect(chunk.fixes.count == records.count)
        let fidelity = Fidelity.of(format)
        for (record, fix) in zip(records, chunk.fixes) {
            let differences = fidelity.differences(between: record, and: fix)
            #expect(differences.isEmpty, "\(format) of \(record.fix): \(fix)")
            if !differences.isEmpty { break }  // the rest may be one after another of the same kind
        }
    }

    @Test(arguments: TrackFormat.allCases, [1, 7, 4096])
    func `however the document is cut into pieces`(_ format: TrackFormat, _ length: Int) {
        var track = GeneratedTrack(seed: 99, years: Self.years(format))
        let bytes = Self.document(format, track.records(300, source: "a"))
        let whole = format.read(bytes)
        var reader = format.makeReader()
        var fixes: [Fix] = []
        for start in stride(from: 0, to: bytes.count, by: length) {
            fixes += reader.read(Array(bytes[start..<min(bytes.count, start + length)])).fixes
        }
        fixes += reader.finish().fixes
        #expect(fixes.count == 300)
        #expect(fixes == whole.fixes)
    }

    @Test(
        arguments: [
            ("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"), ("+1", "'+1"), ("-1", "'-1"), ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "\"'\t=1\""), (" =1", "' =1"), ("＝1", "'＝1"), ("a;=1", "\"'a;=1\""),
            ("=1,\"2\"", "\"'=1,\"\"2\"\"\""),
            ("van-7", "van-7"), ("a+b", "a+b"), ("", ""),
        ])
    func `a text that a spreadsheet would compute is none in CSV`(_ source: String, _ cell: String) {
        var track = GeneratedTrack(seed: 5, years: 2026...2026)
        let text = String(
            decoding: Self.document(.csv, track.records(1, source: SourceID(rawValue: source))), as: UTF8.self)
        #expect(text.contains(",\(cell),"), "\(text)")
    }

    @Test(arguments: TrackFormat.allCases)
    func `the format is found out by the content`(_ format: TrackFormat) {
        var track = GeneratedTrack(seed: 5, years: Self.years(format))
        let bytes = Self.document(format, track.records(3, source: "a"))
        let found = TrackFormat(sample: bytes.span)
        #expect(found == format)
    }

    @Test(arguments: TrackFormat.allCases)
    func `numbers beyond all measure do no harm`(_ format: TrackFormat) {
        let place = Coordinate(latitude: 1, longitude: 2)
        let records = [1e15, 1e18, 1e300, -1e300, .greatestFiniteMagnitude].enumerated().map { number, value in
            let fix = Fix(
                time: Timestamp(secondsSince1970: 1_772_359_200 + Int64(number), nanoseconds: 0), coordinate: place,
                altitude: value, ellipsoidalAltitude: -value, horizontalAccuracy: value.magnitude,
                verticalAccuracy: value.magnitude, speed: value.magnitude, horizontalDilution: .greatestFiniteMagnitude)
            return RecordDraft(
                id: RecordID(rawValue: UInt128(number)), fix: fix, isMoving: true, cause: .distance, source: "a")
        }
        let chunk = format.read(Self.document(format, records))
        #expect(chunk.fixes.map(\.coordinate) == records.map(\.fix.coordinate))
        #expect(chunk.problems.isEmpty)
    }

    @Test(
        arguments: ["1979-12-31T23:59:59.999Z", "2080-01-01T00:00:00Z", "1700-01-01T00:00:00Z"])
    func `NMEA leaves out what its two digits of the year would give another century`(_ time: String) throws {
        let fix = Fix(time: try #require(Timestamp(time)), coordinate: Coordinate(latitude: 1, longitude: 2))
        let record = RecordDraft(id: RecordID(rawValue: 1), fix: fix, isMoving: true, cause: .distance, source: "a")
        #expect(Self.document(.nmea, [record]).isEmpty)
        #expect(TrackFormat.csv.read(Self.document(.csv, [record])).fixes == [fix])
    }
}

extension Fidelity {
    /// The names of what is not the same in a fix that was written and read.
    func differences(between record: RecordDraft, and read: Fix) -> [String] {
        let fix = record.fix
        let kept = rest(record)
        let time = fix.time.nanosecondsInSecond % timeUnit
        let numbers: [(String, Double?, Double?, Tolerance?)] = [
            ("latitude", fix.coordinate.latitude, read.coordinate.latitude, degrees),
            ("longitude", fix.coordinate.longitude, read.coordinate.longitude, degrees),
            ("altitude", kept.hasAltitude ? fix.altitude : nil, read.altitude, altitude),
            (
                "ellipsoidal altitude", kept.hasEllipsoidalAltitude ? fix.ellipsoidalAltitude : nil,
                read.ellipsoidalAltitude, ellipsoidalAltitude
            ),
            ("accuracy", fix.horizontalAccuracy, read.horizontalAccuracy, horizontalAccuracy),
            (
                "vertical accuracy", kept.hasVerticalAccuracy ? fix.verticalAccuracy : nil, read.verticalAccuracy,
                verticalAccuracy
            ),
            ("speed", fix.speed, read.speed, speed),
            ("speed accuracy", fix.speedAccuracy, read.speedAccuracy, speedAccuracy),
            ("course accuracy", fix.courseAccuracy, read.courseAccuracy, courseAccuracy),
            (
                "hdop", fix.horizontalDilution.map(Double.init), read.horizontalDilution.map(Double.init),
                horizontalDilution
            ),
            ("pdop", fix.positionDilution.map(Double.init), read.positionDilution.map(Double.init), positionDilution),
        ]
        var names = numbers.compactMap { name, written, read, tolerance in
            Self.isSame(written, read, tolerance) ? nil : name
        }
        if read.time != fix.time.advanced(by: .nanoseconds(-time)) { names.append("time") }
        if !Self.isSameDirection(fix.course, read.course, course) { names.append("course") }
        if read.satellitesUsed != (keepsSatellites ? fix.satellitesUsed : nil) { names.append("satellites") }
        if read.mode != kept.mode { names.append("mode") }
        if read.status != kept.status { names.append("status") }
        if read.activity != kept.activity { names.append("activity") }
        if read.flags != kept.flags { names.append("flags") }
        return names
    }

    private static func isSame(_ written: Double?, _ read: Double?, _ tolerance: Tolerance?) -> Bool {
        guard let tolerance, let written else { return read == nil }
        // The last factor is what a Double of this size cannot tell apart.
        return read.map { abs($0 - written) <= tolerance + written.magnitude * 1e-15 } ?? false
    }

    private static func isSameDirection(_ written: Double?, _ read: Double?, _ tolerance: Tolerance?) -> Bool {
        guard let written, let read else { return isSame(written, read, tolerance) }
        let difference = abs(written - read)
        return isSame(0, min(difference, 360 - difference), tolerance)
    }
}
