internal import TrackEngine

/// Statistics of the errors of a rebuilt track.
public struct ErrorStatistics: Sendable, Hashable {
    /// The largest error, in metres.
    public let largest: Double
    /// The mean over all fixes that count, including recorded ones, in metres.
    public let mean: Double
    /// The smallest error that at least 95 % of these fixes do not exceed (the nearest rank), in metres.
    public let percentile95: Double
    /// The number of the fix with the largest error; the first of several.
    public let worst: Int

    /// The statistics of the errors of a track, in metres, by the number of the fix; `nil` without any.
    ///
    /// - Parameter errors: `nil` for a fix that does not count.
    package init?(_ errors: [Float?]) {
        let counting = errors.indices.filter { errors[$0] != nil }
        guard let first = counting.first else { return nil }
        var values: [Float] = []
        values.reserveCapacity(counting.count)
        var (sum, largest, worst) = (0.0, Float(0), first)
        for index in counting {
            guard let error = errors[index] else { continue }
            values.append(error)
            sum += Double(error)
            if error > largest { (largest, worst) = (error, index) }
        }
        self.largest = Double(largest)
        self.worst = worst
        mean = sum / Double(values.count)
        values.sort()
        percentile95 = Double(values[(values.count * 95 + 99) / 100 - 1])  // ranks begin at 1
    }
}

/// The error over time, in as many steps as a chart can show: the largest error within each step.
///
/// Time is that of the recording, without the gaps in which the receiver was off.
package struct ErrorProfile: Sendable, Hashable {
    /// The number of steps.
    package static let steps = 300

    /// The largest error of each step, in metres; 0 where no fix counts.
    package private(set) var largest: [Float]
    /// The length of the recording, in seconds.
    package let seconds: Double

    /// The profile of the errors of a track's fixes, one error for each fix.
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
