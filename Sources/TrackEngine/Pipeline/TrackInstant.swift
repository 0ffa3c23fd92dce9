/// A moment on the time base of one pipeline: monotonic time for live sources, the fixes' own time for others.
///
/// Only differences are meaningful.
public struct TrackInstant: Sendable, Hashable, Comparable, BitwiseCopyable {
    /// Nanoseconds from an arbitrary origin.
    public let nanoseconds: Int64

    /// Creates a moment this many nanoseconds after the origin.
    @inlinable
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Creates the moment of a fix's own time, for pipelines on that time base.
    @inlinable
    public init(_ time: Timestamp) { nanoseconds = time.nanosecondsSince1970 }

    /// Whether the left moment is the earlier one.
    @inlinable
    public static func < (left: TrackInstant, right: TrackInstant) -> Bool { left.nanoseconds < right.nanoseconds }

    /// Returns the moment this long after.
    public func advanced(by duration: Duration) -> TrackInstant {
        TrackInstant(nanoseconds: nanoseconds.saturatingAdd(duration.saturatedNanoseconds))
    }

    /// Returns the moment this many nanoseconds later; for spans that were converted to nanoseconds once and are used
    /// for each fix.
    func advanced(byNanoseconds span: Int64) -> TrackInstant {
        TrackInstant(nanoseconds: nanoseconds.saturatingAdd(span))
    }

    /// Returns the nanoseconds from an earlier moment to this one.
    func nanoseconds(since earlier: TrackInstant) -> Int64 {
        nanoseconds.saturatingSubtract(earlier.nanoseconds)
    }
}
