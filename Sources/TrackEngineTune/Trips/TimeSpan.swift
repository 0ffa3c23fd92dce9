public import TrackEngine

/// A span of time, in seconds since 1970.
public struct TimeSpan: Sendable, Hashable {
    /// The begin.
    public let begin: Double
    /// The end, not before the begin.
    public let end: Double

    /// A span; one that would end before it begins is empty.
    public init(begin: Double, end: Double) {
        self.begin = begin
        self.end = max(begin, end)
    }

    /// The span between two times.
    public init(from begin: Timestamp, to end: Timestamp) {
        self.init(begin: begin.unixSeconds, end: end.unixSeconds)
    }

    /// The length in seconds.
    public var length: Double { end - begin }

    /// The common time of both spans, in seconds.
    public func overlap(_ other: TimeSpan) -> Double { max(0, min(end, other.end) - max(begin, other.begin)) }

    /// The common time of both spans divided by their union: intersection over union, 0 to 1.
    public func share(with other: TimeSpan) -> Double {
        let common = overlap(other)
        let either = length + other.length - common
        return either > 0 ? common / either : 0
    }
}

extension Timestamp {
    /// Seconds since 1970 with their fraction.
    var unixSeconds: Double { Double(secondsSince1970) + Double(nanosecondsInSecond) * 1e-9 }
}
