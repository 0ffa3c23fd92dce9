/// A moment on the time base of one pipeline: monotonic time for live sources, the fixes' own time for others.
///
/// Only differences mean anything.
public struct TrackInstant: Sendable, Hashable, Comparable, BitwiseCopyable {
    /// Nanoseconds from an arbitrary origin.
    public let nanoseconds: Int64

    /// A moment this many nanoseconds after the origin.
    @inlinable
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The moment that a fix's own time names, for pipelines on that time base.
    @inlinable
    public init(_ time: Timestamp) { nanoseconds = time.nanosecondsSince1970 }

    /// Whether the left moment is the earlier one.
    @inlinable
    public static func < (left: TrackInstant, right: TrackInstant) -> Bool { left.nanoseconds < right.nanoseconds }

    /// The moment this long after.
    public func advanced(by duration: Duration) -> TrackInstant {
        TrackInstant(nanoseconds: nanoseconds.saturatingAdd(duration.saturatedNanoseconds))
    }

    /// The moment so many nanoseconds after; for spans that were turned into nanoseconds once and are used for each fix.
    func advanced(byNanoseconds span: Int64) -> TrackInstant {
        TrackInstant(nanoseconds: nanoseconds.saturatingAdd(span))
    }

    /// Nanoseconds from an earlier moment to this one.
    func nanoseconds(since earlier: TrackInstant) -> Int64 {
        nanoseconds.saturatingSubtract(earlier.nanoseconds)
    }
}
