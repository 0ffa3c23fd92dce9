package import TrackEngine

/// What the laws put into stores: records that can be told apart by a number.
package enum StoreMaterial {
    /// Noon of 1 March 2026.
    package static let start = Timestamp(secondsSince1970: 1_772_366_400)

    /// The n-th draft: a fix n minutes after the start, with the fields that a store must not lose.
    package static func draft(_ number: Int, source: SourceID = "law", time: Timestamp? = nil) -> RecordDraft {
        let fix = Fix(
            time: time ?? start.advanced(by: .seconds(60 * number)),
            coordinate: Coordinate(latitude: 48 + Double(number) * 1e-4, longitude: -11.5),
            altitude: number % 2 == 0 ? 519.25 : nil, horizontalAccuracy: 4.5, speed: Double(number % 40),
            satellitesUsed: 9, mode: .threeDimensional)
        let cause: RecordCause = number % 3 == 0 ? .still : .distance
        return RecordDraft(
            id: RecordID(device: "law", source: source, fix: fix, cause: cause), fix: fix,
            isMoving: cause == .distance, event: cause == .still ? .motionChange : nil, cause: cause,
            activity: ActivityEstimate(.driving, confidence: 67), source: source,
            host: HostStatus(batteryLevel: 0.5, batteryState: .unplugged),
            odometer: Double(number) * 12.5)
    }

    package static func drafts(_ numbers: Range<Int>) -> [RecordDraft] { numbers.map { draft($0) } }

    /// An event of each kind that says the most, found at the n-th draft's fix.
    package static func events(_ number: Int, source: SourceID = "law") -> [RecordDraft] {
        let fix = draft(number, source: source).fix
        let id = EventID(device: "law", kind: .visit, beginning: start)
        let place = PlaceName(id: "depot", name: "Dépôt \"Nord\"")
        let terminus = Trip.End(time: start, coordinate: fix.coordinate, place: place)
        let contents: [RecordContent] = [
            .visit(
                Visit(
                    id: id, centre: fix.coordinate, radius: 35.5, arrival: start, departure: fix.time, place: place)),
            .trip(
                Trip(
                    id: id, mode: .bicycle, start: terminus, end: terminus, distance: 1250.5,
                    movingTime: .milliseconds(61_500), topSpeed: 9.5, climb: 12, startedBy: .automatic,
                    endedBy: .gap)),
            .transition(
                Transition(event: .leave, place: place, centre: fix.coordinate, radius: 150, created: start)),
            .action(.paused), .heartbeat, .power,
        ]
        return contents.map { content in
            RecordDraft(
                id: RecordID(device: "law", source: source, fix: fix, content: content), fix: fix, isMoving: false,
                cause: .detected, source: source, odometer: 87.5, content: content)
        }
    }

    package static func checkpoint(_ number: Int, of source: SourceID = "law") -> SourceCheckpoint {
        SourceCheckpoint(
            source: source, last: draft(number, source: source),
            lastMovement: start.advanced(by: .seconds(number)), isStandby: number % 2 == 1,
            activityState: Int64(number) << 33 | 5)
    }
}

extension FixStore {
    /// Appends drafts without a checkpoint.
    @discardableResult
    func append(_ numbers: Range<Int>) async throws -> [TrackRecord] {
        try await append(StoreMaterial.drafts(numbers), checkpoint: nil)
    }

    /// Everything in the store, read in pages.
    package func allRecords(page: Int = 100) async throws -> [TrackRecord] {
        var all: [TrackRecord] = []
        while true {
            let next = try await records(after: all.last?.sequence ?? .zero, limit: page)
            if next.isEmpty { return all }
            all += next
        }
    }

    /// Settles the first records of what comes next for a sink.
    @discardableResult
    func settleNext(
        _ count: Int, for sink: SinkID, refusing refused: Set<Int> = [], at time: Timestamp = StoreMaterial.start
    ) async throws -> [TrackRecord] {
        guard let batch = try await nextBatch(for: sink, limit: count) else { return [] }
        let reasons = refused.filter { $0 < batch.records.count }.map { (batch.records[$0].id, "refused \($0)") }
        try await settle(
            Settlement(
                origin: batch.origin, records: batch.records,
                refused: Dictionary(reasons) { first, _ in first }, time: time),
            for: sink)
        return batch.records
    }
}

extension Collection<TrackRecord> {
    var numbers: [Int64] { map(\.sequence.rawValue) }
    var drafts: [RecordDraft] { map(\.draft) }
}
