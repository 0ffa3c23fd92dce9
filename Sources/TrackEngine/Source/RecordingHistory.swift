/// Where the store's records of the last recordings of one source end, so that none of them is taken twice.
///
/// The store keeps one checkpoint under the source's own name, the current one, which each record replaces. When another
/// recording begins, the current checkpoint moves to the first of ``limit`` further names and those there move on by one.
/// Each move is a write of its own. They are ordered so that a crash between two of them loses no recording but the
/// oldest, and never the one that begins; it may leave one twice, which does no harm.
package struct RecordingHistory: Sendable {
    /// How many further names there are. One of them may hold an earlier checkpoint of the current recording, so that
    /// this is also how many recordings are remembered.
    package static let limit = 16

    private let source: SourceID
    /// What the store keeps under the source's own name.
    private let current: SourceCheckpoint?
    /// What it keeps under the further names; `nil` where there is nothing.
    private let slots: [SourceCheckpoint?]

    /// Takes a source's checkpoints out of those of a store.
    package init(of source: SourceID, in checkpoints: [SourceCheckpoint]) {
        self.source = source
        current = checkpoints.first { $0.source == source }
        slots = (0..<Self.limit).map { slot in
            let name = Self.name(slot, of: source)
            return checkpoints.first { $0.source == name }?.renamed(source)
        }
    }

    /// The checkpoints under the source's own name, the current one first and then the newest.
    package var checkpoints: [SourceCheckpoint] { [current].compactMap(\.self) + slots.compactMap(\.self) }

    /// What is to be written, in this order, before a recording begins that the current checkpoint is not of.
    ///
    /// - Parameter next: the checkpoint of that recording, which becomes the current one; `nil` where none is known.
    package func writes(before next: SourceCheckpoint?) -> [SourceCheckpoint] {
        guard let current else { return [next].compactMap(\.self) }
        var wanted = [current]
        for checkpoint in slots.compactMap(\.self) where !wanted.contains(checkpoint) { wanted.append(checkpoint) }
        if wanted.count > Self.limit {
            // The one that begins is not lost before it is the current one: another goes in its place.
            let isOldest = wanted.last == next
            wanted.removeSubrange((Self.limit - (isOldest ? 1 : 0))..<(wanted.count - (isOldest ? 1 : 0)))
        }
        // From the last one to the first, so that each is written to its new name before its old one is overwritten.
        let moves = wanted.enumerated().reversed().filter { slot, checkpoint in slots[slot] != checkpoint }
        return moves.map { slot, checkpoint in checkpoint.renamed(Self.name(slot, of: source)) }
            + [next].compactMap(\.self)
    }

    /// A name that no source has: the separator is not to be typed.
    private static func name(_ slot: Int, of source: SourceID) -> SourceID {
        SourceID(rawValue: "\(source)\u{1f}\(slot + 1)")
    }
}

extension SourceCheckpoint {
    fileprivate func renamed(_ source: SourceID) -> SourceCheckpoint {
        SourceCheckpoint(
            source: source, last: last, lastMovement: lastMovement, isStandby: isStandby, activityState: activityState)
    }
}
