import TrackEngine

/// The records of a workload: known by a number, which is their id.
package enum WorkloadRecord {
    package static let source: SourceID = "torture"
    private static let start = Timestamp(secondsSince1970: 1_772_366_400)

    /// The draft of a number, one second after the one before.
    package static func draft(_ number: Int) -> RecordDraft {
        let fix = Fix(
            time: start.advanced(by: .seconds(number)),
            coordinate: Coordinate(latitude: 48 + Double(number % 1_000) * 1e-5, longitude: 11),
            altitude: number % 3 == 0 ? 519.25 : nil, horizontalAccuracy: 4.5, speed: Double(number % 30))
        return RecordDraft(
            id: RecordID(rawValue: UInt128(number)), fix: fix, isMoving: true, cause: .distance, source: source,
            odometer: Double(number) * 12.5)
    }

    /// The checkpoint after a record.
    package static func checkpoint(_ number: Int) -> SourceCheckpoint {
        SourceCheckpoint(
            source: source, last: draft(number), lastMovement: start.advanced(by: .seconds(number)), isStandby: false)
    }

    package static func number(of record: TrackRecord) -> Int { Int(clamping: record.id.rawValue) }

    /// The wall clock when the record of a number is new.
    package static func time(_ number: Int) -> Timestamp { start.advanced(by: .seconds(number)) }
}
