import TrackEngine
import TrackEngineSettings

/// The deletions that a sink has requested itself.
struct DeleteLog: Sendable {
    /// The last one that the server has confirmed.
    var confirmed: Timestamp?
    /// One that must be requested again, because an older position may have reached the server after it.
    var owed: Timestamp?
}

/// Keeps deleted positions from coming back. The mark is saved before the deletion is requested, perhaps by another
/// process, while a request of this sink is in flight and may reach the server after the deletion. In these cases
/// the deletion is requested again: after a request during which the mark has changed, and before the first records
/// are withheld, because a killed process may have sent them.
extension MiataruSink {
    /// The mark of the last deletion.
    ///
    /// - Throws: if it cannot be read; then no position can be sent.
    func keptMark() throws(DeliveryError) -> SharingMark {
        do throws(PrivateFileError) { return try mark.readOrFail() ?? SharingMark() } catch {
            throw DeliveryError(.retry(), "the note of the last deletion cannot be read: \(error)")
        }
    }

    /// Settles records from before the deletion without sending them.
    func withhold(_ records: [TrackRecord], _ kept: SharingMark) async throws(DeliveryError) {
        try await repeatOwedDeletion()
        guard !records.isEmpty, let deleted = kept.deleted else { return }
        if repetition.withLock({ $0.confirmed }) != deleted { try await repeatDeletion(of: deleted) }
        do throws(PrivateFileError) {
            try mark.change { if $0.deleted == deleted { $0.withhold(records) } }
        } catch {
            throw DeliveryError(.retry(), "withheld records cannot be counted: \(error)")
        }
    }

    /// Requests the deletion again if there was one while these records were in flight.
    func repeatDeletion(thatCovers sent: [TrackRecord]) async throws(DeliveryError) {
        let kept = try keptMark()
        guard let deleted = kept.deleted, sent.contains(where: { kept.covers($0.fix.time) }) else { return }
        try await repeatDeletion(of: deleted)
        throw DeliveryError(.retry(), "the server was asked to delete the place while it was being sent")
    }

    /// Requests a deletion again that failed before.
    func repeatOwedDeletion() async throws(DeliveryError) {
        if let owed = repetition.withLock({ $0.owed }) { try await repeatDeletion(of: owed) }
    }

    private func repeatDeletion(of deleted: Timestamp) async throws(DeliveryError) {
        repetition.withLock { $0.owed = deleted }
        try await send(to: deletion) { DeleteLocation.body($0) }
        repetition.withLock { $0 = DeleteLog(confirmed: deleted) }
    }
}
