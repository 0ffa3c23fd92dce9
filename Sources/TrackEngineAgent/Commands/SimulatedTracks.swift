package import TrackEngine
package import TrackEngineSimulated

/// The fixes of a whole fleet as records, in the order that a format requires.
///
/// If sources may be mixed, the order is that of time, and that of the vehicles' numbers at the same time; otherwise
/// one vehicle follows the other.
package struct SimulatedTracks: Sequence, IteratorProtocol {
    private struct Member {
        let source: SourceID
        var drive: SimulatedDrive
    }

    private var members: [Member]
    private let isMerged: Bool
    private var current = 0

    package init(_ configurations: [SimulatedSource.Configuration], merged: Bool) throws(ConfigurationError) {
        members = []
        for (index, configuration) in configurations.enumerated() {
            members.append(
                Member(source: SimulatedSource.id(ofVehicle: index), drive: try SimulatedDrive(configuration)))
        }
        isMerged = merged
    }

    /// The next fix; all drives have the same rate and length, so taking turns is the order of time.
    package mutating func next() -> RecordDraft? {
        while current < members.count {
            let source = members[current].source
            let epoch = members[current].drive.next()
            if isMerged {
                if epoch == nil { return nil }
                current = (current + 1) % members.count
            } else if epoch == nil {
                current += 1
            }
            if let fix = epoch?.fix { return Self.record(of: fix, from: source) }
        }
        return nil
    }

    /// The record of a fix. It counts as moving if the receiver reports more than a slow walk.
    private static func record(of fix: Fix, from source: SourceID) -> RecordDraft {
        RecordDraft(
            id: RecordID(device: "simulated", source: source, fix: fix, cause: .requested), fix: fix,
            isMoving: (fix.speed ?? 0) >= 0.5, cause: .requested, source: source)
    }
}
