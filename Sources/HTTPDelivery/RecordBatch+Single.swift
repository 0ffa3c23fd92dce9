package import TrackEngine

extension RecordBatch {
    /// Sends the records one after the other, oldest first, up to the first that the receiver does not confirm.
    ///
    /// What was confirmed before that one is settled.
    ///
    /// - Parameters:
    ///   - progress: is told of the confirmed prefix, as long as it holds no refused record.
    ///   - refusal: why the receiver cannot keep a record, which is not sent then.
    ///   - send: sends a record, and returns when it is confirmed.
    package func deliverEach(
        reporting progress: DeliveryProgressReport, refusal: (TrackRecord) -> String?,
        send: (TrackRecord) async throws(DeliveryError) -> Void
    ) async throws(DeliveryError) -> Receipt {
        var refused: [RecordID: String] = [:]
        var confirmed = 0
        for (index, record) in records.enumerated() {
            if let reason = refusal(record) {
                refused[record.id] = reason
                continue
            }
            do throws(DeliveryError) {
                try await send(record)
            } catch {
                guard confirmed > 0, !Task.isCancelled else { throw error }
                return Receipt(settled: index, refused: refused)
            }
            confirmed += 1
            if refused.isEmpty { progress.confirmed(confirmed) }
        }
        return Receipt(settled: records.count, refused: refused)
    }
}
