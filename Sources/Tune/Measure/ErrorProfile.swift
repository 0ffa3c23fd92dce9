internal import TrackEngine

/// The error over time, in as many steps as a chart can show: the largest error within each.
///
/// Time is that of the recording, without the gaps in which the receiver was off.
package struct ErrorProfile: Sendable, Hashable {
    /// How many steps there are at most.
    package static let steps = 300

    /// The largest error of each step, in metres; 0 where no fix counts.
    package private(set) var largest: [Float]
    /// The length of the recording, in seconds.
    package let seconds: Double

    /// The profile of the errors of a track's fixes, which are as many.
    package init(_ track: RecordedTrack, errors: [Float?], steps: Int = steps) {
        seconds = track.recordedSeconds
        largest = Array(repeating: 0, count: steps)
        guard seconds > 0 else { return }
        var time = RecordedTime()
        for index in errors.indices {
            if index > 0 { time.pass(track.fixes[index].time.duration(since: track.fixes[index - 1].time)) }
            let step = min(steps - 1, Int(time.seconds / seconds * Double(steps)))
            largest[step] = max(largest[step], errors[index] ?? 0)
        }
    }
}
