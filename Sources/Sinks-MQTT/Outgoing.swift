import TrackEngine

/// The messages of one delivery, and what their fate means for its records.
struct Outgoing {
    let messages: [RecordMessage]
    private let records: [TrackRecord]

    /// - Parameters:
    ///   - batch: what to deliver.
    ///   - format: how.
    ///   - latest: the newest record, to be shown ahead of a backlog or after the records themselves.
    init(_ batch: RecordBatch, format: any MessageFormat, latest: TrackRecord?) {
        let isAhead = batch.isBacklog
        records = batch.records
        var messages = format.messages(for: batch.records, isBacklog: isAhead)
        precondition(
            messages.reduce(0) { $0 + $1.recordCount } == records.count, "a format carries every record exactly once")
        if isAhead || format.latestHasOwnTopic, let message = latest.flatMap(format.latest) {
            let message = RecordMessage(message, recordCount: 0)
            if isAhead { messages.insert(message, at: 0) } else { messages.append(message) }
        }
        self.messages = messages
    }

    /// How many records the first messages carry, by the number of messages.
    var recordCounts: [Int] {
        messages.reduce(into: [0]) { counts, message in counts.append((counts.last ?? 0) + message.recordCount) }
    }

    /// The ids of the records, in the order of the messages.
    var ids: [RecordID] { records.map(\.id) }

    /// What the drain is told.
    func receipt(_ result: DeliveryProgress.Result) throws(DeliveryError) -> Receipt {
        let settled = messages.prefix(result.settled).reduce(0) { $0 + $1.recordCount }
        if settled == 0, let failure = result.failure { throw failure }
        var refused: [RecordID: String] = [:]
        for dead in result.dead {
            let first = messages.prefix(dead.message).reduce(0) { $0 + $1.recordCount }
            for record in records[first..<first + messages[dead.message].recordCount] {
                refused[record.id] = dead.reason
            }
        }
        return Receipt(settled: settled, refused: refused)
    }
}
