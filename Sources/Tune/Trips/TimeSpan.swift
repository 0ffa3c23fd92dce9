public import TrackEngine

/// A span of time, in seconds since 1970.
public struct TimeSpan: Sendable, Hashable {
    /// When it begins.
    public let begin: Double
    /// When it ends, not before it begins.
    public let end: Double

    /// A span; one that would end before it begins is empty.
    public init(begin: Double, end: Double) {
        self.begin = begin
        self.end = max(begin, end)
    }

    /// The span between two moments.
    public init(from begin: Timestamp, to end: Timestamp) {
        self.init(begin: begin.unixSeconds, end: end.unixSeconds)
    }

    /// In seconds.
    public var length: Double { end - begin }

    /// How long both last at once, in seconds.
    public func overlap(_ other: TimeSpan) -> Double { max(0, min(end, other.end) - max(begin, other.begin)) }

    /// The time of both over that of either: intersection over union, 0 to 1.
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
