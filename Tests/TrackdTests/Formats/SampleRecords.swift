import TrackEngine
import TrackEngineAgent
import TrackEngineFiles
import TrackEngineSettings

/// Records with values that can be followed by eye.
enum SampleRecords {
    /// 2026-03-01T10:00:00.120Z
    static let start = Timestamp(secondsSince1970: 1_772_359_200, nanoseconds: 120_000_000)

    static func record(
        _ number: Int, at time: Timestamp = start, latitude: Double = 52.52, longitude: Double = 13.405,
        isMoving: Bool = true, event: RecordEvent? = nil, source: SourceID = "gpsd"
    ) -> RecordDraft {
        RecordDraft(
            id: RecordID(rawValue: UInt128(number)),
            fix: Fix(time: time, coordinate: Coordinate(latitude: latitude, longitude: longitude)),
            isMoving: isMoving, event: event, cause: .distance, source: source)
    }

    /// Everything is known.
    static let full = RecordDraft(
        id: RecordID(rawValue: 1),
        fix: Fix(
            time: start, coordinate: Coordinate(latitude: 52.52, longitude: -13.405), altitude: 34.5,
            ellipsoidalAltitude: 74.25, horizontalAccuracy: 4.895_493, verticalAccuracy: 3.919_928, speed: 10,
            speedAccuracy: 0.2, course: 271.25, courseAccuracy: 1.5, horizontalDilution: 0.9, positionDilution: 1.6,
            satellitesUsed: 10, satellitesVisible: 13, mode: .threeDimensional, status: .simulated, flags: .simulated),
        isMoving: true, event: .motionChange, cause: .first,
        activity: ActivityEstimate(.driving, confidence: 67), source: "van, \"7\" <&>",
        host: HostStatus(batteryLevel: 0.625, batteryState: .unplugged), odometer: 18_342.5)

    /// Only time and place are known.
    static let bare = record(2, at: start.advanced(by: .seconds(1)), latitude: -0.000_5, longitude: 179.999_999_999)

    /// `begin`, all records, `end`.
    static func document(_ format: TrackFormat, _ records: [RecordDraft], namesSource: Bool = false) -> String {
        var writer = format.makeWriter(namesSource: namesSource)
        var bytes: [UInt8] = []
        writer.begin(&bytes)
        for record in records { writer.append(record, to: &bytes) }
        writer.end(&bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
