import TrackEngine

extension RecordBatch {
    /// Sends the records one by one, oldest first, up to the first that the server does not confirm.
    ///
    /// The records confirmed before that one are settled.
    ///
    /// - Parameters:
    ///   - progress: receives the confirmed prefix, as long as it has no refused record.
    ///   - prepare: makes the request for a record, or returns the reason why the server cannot keep it; then it is
    ///     not sent.
    ///   - send: sends a request, and returns when it is confirmed.
    func deliverEach<Request>(
        reporting progress: (Int) -> Void,
        preparing prepare: (TrackRecord) -> Result<Request, RecordError>,
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
            if refused.isEmpty { progress(confirmed) }
        }
        return Receipt(settled: records.count, refused: refused)
    }

    /// Sends the records themselves one by one, in the same way.
    ///
    /// - Parameter refusal: the reason why the server cannot keep a record; `nil` for one that it can keep.
    func deliverEach(
        reporting progress: (Int) -> Void, refusal: (TrackRecord) -> String?,
        send: (TrackRecord) async throws(DeliveryError) -> Void
    ) async throws(DeliveryError) -> Receipt {
        try await deliverEach(
            reporting: progress,
            preparing: { record in refusal(record).map { .failure(RecordError($0)) } ?? .success(record) },
            send: send)
    }
}

/// The reason why a record is not sent.
package struct RecordError: Error, Sendable, Hashable {
    /// The reason, for people.
    package let reason: String

    /// Creates a reason.
    package init(_ reason: String) { self.reason = reason }
}
