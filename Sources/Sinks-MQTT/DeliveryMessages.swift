import TrackEngine

/// The messages of one delivery, and the effect of their outcomes on its records.
struct DeliveryMessages {
    let messages: [RecordMessage]
    private let records: [TrackRecord]

    /// - Parameters:
    ///   - batch: the records to deliver.
    ///   - format: converts the records to messages.
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

    /// The number of records in the first messages, by the number of messages.
    var recordCounts: [Int] {
        messages.reduce(into: [0]) { counts, message in counts.append((counts.last ?? 0) + message.recordCount) }
    }

    /// The ids of the records, in the order of the messages.
    var ids: [RecordID] { records.map(\.id) }

    /// Converts the result of the delivery to a receipt for the sink delivery.
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
