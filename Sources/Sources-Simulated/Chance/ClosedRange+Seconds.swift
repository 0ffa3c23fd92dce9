internal import TrackEngine

extension ClosedRange<Duration> {
    /// The same range in seconds, to draw from.
    var inSeconds: ClosedRange<Double> { lowerBound.inSeconds...upperBound.inSeconds }
}
