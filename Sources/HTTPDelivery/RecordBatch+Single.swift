package import TrackEngine

extension RecordBatch {
    /// Sends the records one after the other, oldest first, up to the first that the receiver does not confirm.
    ///
    /// What was confirmed before that one is settled.
    ///
    /// - Parameters:
    ///   - progress: is told of the confirmed prefix, as long as it holds no refused record.
    ///   - prepare: makes what is sent of a record, or says why the receiver cannot keep it; it is not sent then.
    ///   - send: sends what was made, and returns when it is confirmed.
    package func deliverEach<Request>(
        reporting progress: DeliveryProgressReport,
        preparing prepare: (TrackRecord) -> Result<Request, UnsendableRecord>,
        send: (Request) async throws(DeliveryError) -> Void
    ) async throws(DeliveryError) -> Receipt {
        var refused: [RecordID: String] = [:]
        var confirmed = 0
        for (index, record) in records.enumerated() {
            let request: Request
            switch prepare(record) {
            case .success(let made): request = made
            case .failure(let problem):
                refused[record.id] = problem.reason
                continue
            }
            do throws(DeliveryError) {
                try await send(request)
            } catch {
                guard confirmed > 0, !Task.isCancelled else { throw error }
                return Receipt(settled: index, refused: refused)
            }
            confirmed += 1
            if refused.isEmpty { progress.confirmed(confirmed) }
        }
        return Receipt(settled: records.count, refused: refused)
    }

    /// The same where records themselves are sent.
    ///
    /// - Parameter refusal: why the receiver cannot keep a record; `nil` for one that it can keep.
    package func deliverEach(
        reporting progress: DeliveryProgressReport, refusal: (TrackRecord) -> String?,
        send: (TrackRecord) async throws(DeliveryError) -> Void
    ) async throws(DeliveryError) -> Receipt {
        try await deliverEach(
            reporting: progress,
            preparing: { record in refusal(record).map { .failure(UnsendableRecord($0)) } ?? .success(record) },
            send: send)
    }
}

/// Why a record is not sent.
package struct UnsendableRecord: Error, Sendable, Hashable {
    /// The reason, for people.
    package let reason: String

    /// A reason.
    package init(_ reason: String) { self.reason = reason }
}
