public import TrackEngine

/// Records for tests that need some, whatever they say: a drive to the east, one fix a second.
public enum SampleRecords {
    /// Records with the sequence numbers `first`, `first + 1`, … Equal numbers give equal records.
    public static func records(from first: Int = 1, count: Int) -> [TrackRecord] {
        (first..<first + count).map(record)
    }

    /// The record with this sequence number.
    public static func record(_ number: Int) -> TrackRecord {
        let fix = Fix(
            time: Timestamp(secondsSince1970: 1_772_359_200 + Int64(number)),  // 2026-03-01T10:00:00Z
            coordinate: Coordinate(latitude: 53.550_332_1, longitude: 9.987_123_4 + Double(number) * 0.000_2),
            altitude: 12.4, horizontalAccuracy: 4.6, verticalAccuracy: 7.5, speed: 13.2, speedAccuracy: 0.5,
            course: 90.4, courseAccuracy: 2.5, satellitesUsed: 9, mode: .threeDimensional)
        let id = RecordID(device: "sample", source: "sample", fix: fix, cause: .distance)
        let draft = RecordDraft(
            id: id, fix: fix, isMoving: true, cause: .distance,
            activity: ActivityEstimate(.driving, confidence: 100), source: "sample",
            host: HostStatus(batteryLevel: 0.63, batteryState: .unplugged))
        return TrackRecord(sequence: RecordSequence(rawValue: Int64(number)), draft: draft)
    }
}
