import TrackEngine
import TrackEngineTestKit

/// What a store shows after a fault, in the oracle's terms.
package struct StoreObservation: Sendable {
    /// The numbers of the records, by their sequence.
    package var records: [Int64: Int] = [:]
    /// The sequences that wait for each sink, in the order of delivery.
    package var waiting: [SinkID: [Int64]] = [:]
    /// The sequences of the dead letters of each sink.
    package var dead: [SinkID: Set<Int64>] = [:]
    package var dropped: Int64 = 0
    /// The sequence that a record appended now has got.
    package var fresh: Int64 = 0
    /// What the store says is wrong.
    package var warning: String?

    /// Looks at a store, and appends one record to it.
    ///
    /// - Parameter freshNumber: the number of that record; nobody else's.
    package init(
        of store: any FixStore, sinks: [SinkID], freshNumber: Int, isolation: isolated (any Actor)? = #isolation
    ) async throws {
        for record in try await store.allRecords(page: 1_000) {
            records[record.sequence.rawValue] = WorkloadRecord.number(of: record)
        }
        for sink in sinks {
            let batch = try await store.nextBatch(for: sink, limit: 1_000_000)
            waiting[sink] = batch?.records.map(\.sequence.rawValue) ?? []
        }
        for letter in try await store.deadLetters(of: nil) {
            dead[letter.sink, default: []].insert(letter.record.sequence.rawValue)
        }
        let status = try await store.status()
        (dropped, warning) = (status.dropped, status.warning)
        let appended = try await store.append([WorkloadRecord.draft(freshNumber)], checkpoint: nil)
        fresh = appended.first?.sequence.rawValue ?? 0
    }

    /// An observation made by hand, for tests of the oracle.
    package init() {}
}
