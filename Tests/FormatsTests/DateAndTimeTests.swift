import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles

/// Tables whose dates and times of day are in columns of their own, of one zone or of two.
@Suite struct DateAndTimeTests {
    private static func times(_ header: String, _ row: String, zone: ZoneOffsetTable = .utc) -> [Timestamp] {
        var reader = TrackFormat.csv.makeReader(zone: zone)
        return reader.read(Array("\(header),lat,lon\n\(row),1,2\n".utf8)).fixes.map(\.time)
    }

    @Test(arguments: [
        // The column of UTC or GPS goes with its like.
        ("date,time,gps_date,gps_time", "2026-03-02,00:59:50,2026-03-01,23:59:50", "2026-03-01T23:59:50Z"),
        ("Time,GPS_Date,GPS_Time", "01:00:00,2026-03-01,00:00:00", "2026-03-01T00:00:00Z"),
        ("gps_time,gps_date", "10:00:00,2026-03-01", "2026-03-01T10:00:00Z"),
        ("gps_date,time", "2026-03-01,10:00:00", "2026-03-01T10:00:00Z"),
        ("date,utc_date,time", "2026-03-02,2026-03-01,00:30:00", "2026-03-02T00:30:00Z"),
        ("date,utc_date,time,utc_time", "2026-03-02,2026-03-01,00:30:00,23:30:00", "2026-03-01T23:30:00Z"),
    ])
    func `a date and a time of day of one zone belong together`(_ header: String, _ row: String, _ time: String) {
        #expect(Self.times(header, row) == [Timestamp(time)])
    }

    @Test(arguments: [
        ("utc_date,local_time,utc_offset", "2026-03-01,11:00:00,+01:00", "2026-03-01T10:00:00Z"),
        ("utc_date,local_time,utc_offset", "2026-03-01,00:30:00,+01:00", "2026-03-01T23:30:00Z"),
        ("utc_date,time,utc_offset", "2026-03-01,23:30:00,-05:00", "2026-03-01T04:30:00Z"),
        ("gps_date,time,tz", "2026-03-01,11:00:00.5,+01:00", "2026-03-01T10:00:00.5Z"),
        ("local_date,utc_time,utc_offset", "2026-03-02,23:30:00,+01:00", "2026-03-01T23:30:00Z"),
        ("local_date,utc_time,utc_offset", "2026-03-02,11:00:00,+01:00", "2026-03-02T11:00:00Z"),
        ("local_date,utc_time,utc_offset", "2026-03-01,02:00:00,-05:00", "2026-03-02T02:00:00Z"),
        ("utc_date,time,utc_offset", "1969-12-31,23:30:00,-01:00", "1969-12-31T00:30:00Z"),
    ])
    func `of a date in UTC and a local time of day, or the reverse, each counts in its zone`(
        _ header: String, _ row: String, _ time: String
    ) {
        #expect(Self.times(header, row) == [Timestamp(time)])
    }

    @Test(arguments: [
        ("gps_date,local_time", "2026-03-01,11:00:00", "2026-03-01T10:00:00Z"),
        ("gps_date,time", "2026-03-01,00:30:00", "2026-03-01T23:30:00Z"),
        ("date,time,utc_date", "2026-03-02,00:30:00,2026-03-01", "2026-03-01T23:30:00Z"),
        ("date,time,gps_date,gps_time", "2026-03-02,00:59:50,2026-03-01,23:59:50", "2026-03-01T23:59:50Z"),
        ("utc_date,utc_time", "2026-03-01,10:00:00", "2026-03-01T10:00:00Z"),
    ])
    func `the reader's zone is that of the time of day`(_ header: String, _ row: String, _ time: String) throws {
        let zone = try #require(ZoneOffsetTable(secondsAheadOfUTC: 3600))
        #expect(Self.times(header, row, zone: zone) == [Timestamp(time)])
    }

    @Test func `a time of an unset clock leaves nothing to the one that takes its place`() {
        let rows = "2026-03-01 11:00:00,,1772359200,1,2\n2000-01-01 00:00:00,2026-03-01T10:00:10Z,,1,2\n"
        let chunk = read("time,recorded_at,epoch,lat,lon\n" + rows, as: .csv)
        #expect(
            chunk.fixes.map { $0.time.duration(since: Timestamp(secondsSince1970: 1_772_359_200)) } == [
                .zero, .seconds(10),
            ])
        let alone = read("time,timestamp,lat,lon\n1970-01-01 00:00:00,2026-03-01T10:00:00Z,1,2\n", as: .csv)
        #expect(alone.fixes.map(\.time) == [Timestamp(secondsSince1970: 1_772_359_200)])
    }
}
