package import TrackEngine

/// Decides where the line through the records is divided.
///
/// - A change of the source begins a new track.
/// - A record later than ``longestGap`` after the previous one, or earlier than the previous one, begins a new
///   segment.
/// - The first record after a pause begins a new segment.
/// - The record after one at which the object came to rest begins a new segment, so that each trip is a segment.
package struct TrackSegmentRule: Sendable {
    /// Five minutes: longer than any tunnel.
    package static let longestGap = Duration.seconds(300)

    /// The relation of a record to the one before it.
    package enum Link: Sendable, Hashable {
        /// On the same line.
        case line
        /// On a new line of the same track.
        case segment
        /// On a new track, like the first record.
        case track
    }

    private var last: (source: SourceID, time: Timestamp, cameToRest: Bool)?

    package init() {}

    /// The relation of the next record to the one before it.
    package mutating func next(_ record: RecordDraft) -> Link {
        let before = last
        let cameToRest = record.event == .motionChange && !record.isMoving
        last = (record.source, record.fix.time, cameToRest)
        guard let before, before.source == record.source else { return .track }
        if record.cause == .resumed { return .segment }
        let gap = record.fix.time.duration(since: before.time)
        return before.cameToRest || gap < .zero || gap > Self.longestGap ? .segment : .line
    }
}
