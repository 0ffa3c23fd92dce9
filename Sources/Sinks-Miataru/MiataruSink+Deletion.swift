import HTTPDelivery
import TrackEngine
import TrackEngineSettings

/// Which deletions a sink has asked for itself.
struct RepeatedDeletion: Sendable {
    /// The last one that the server has confirmed.
    var confirmed: Timestamp?
    /// One that is to be asked for once more, because a place from before it has reached the server.
    var owed: Timestamp?
}

/// What somebody wanted deleted stays deleted. The mark is on the disk before the server is asked, by another process perhaps, while
/// a request of ours is under way and may come to the server after the deletion. Where that can have been, the server is asked again:
/// after a request during which the mark has changed, and before the first records that are withheld, because a process that was
/// killed may have sent them.
extension MiataruSink {
    /// What is kept of the last deletion.
    ///
    /// - Throws: that it cannot be read, in which case nothing can be sent.
    func keptMark() throws(DeliveryError) -> SharingMark {
        do throws(PrivateFileError) { return try mark.readOrFail() ?? SharingMark() } catch {
            throw DeliveryError(.retry(), "it is not known what was deleted at the server: \(error)")
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
            throw DeliveryError(.retry(), "what is not sent cannot be counted: \(error)")
        }
    }

    /// Asks for the deletion again where one came while these records were under way.
    func repeatDeletion(thatCovers sent: [TrackRecord]) async throws(DeliveryError) {
        let kept = try keptMark()
        guard let deleted = kept.deleted, sent.contains(where: { kept.covers($0.fix.time) }) else { return }
        try await repeatDeletion(of: deleted)
        throw DeliveryError(.retry(), "the server was asked to delete the place while it was being sent")
    }

    /// Asks for a deletion again that could not be asked for before.
    func repeatOwedDeletion() async throws(DeliveryError) {
        if let owed = repetition.withLock({ $0.owed }) { try await repeatDeletion(of: owed) }
    }

    private func repeatDeletion(of deleted: Timestamp) async throws(DeliveryError) {
        repetition.withLock { $0.owed = deleted }
        try await send(to: deletion) { DeleteLocation.body($0) }
        repetition.withLock { $0 = RepeatedDeletion(confirmed: deleted) }
    }
}
