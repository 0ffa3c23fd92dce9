/// CalmGeo's recording rule applied to a track: the distance of each fix from the last kept one is compared with the
/// threshold.
///
/// It keeps exactly the fixes that ``DistanceFilter/keeps(distance:speed:)`` keeps at the distance of
/// ``Coordinate/distance(to:)``, and the first. It ignores time, motion and quality; for these use ``TrackPipeline``.
/// Its uses are reducing recorded tracks and measuring.
///
/// ```swift
/// var sampler = DistanceSampler(DistanceFilter())
/// var kept: [Int] = []
/// sampler.sample(fixes.span, into: &kept)
/// ```
@frozen
public struct DistanceSampler: Sendable, Hashable, BitwiseCopyable {
    /// The rule.
    public let filter: DistanceFilter
    /// The last kept position; `nil` before the first. Set it to continue after an earlier record.
    public var anchor: DistanceAnchor?

    /// Creates a sampler at the beginning of a track.
    @inlinable
    public init(_ filter: DistanceFilter) {
        self.filter = filter
        anchor = nil
    }

    /// Whether the next fix of the track is kept.
    @inlinable
    public mutating func keeps(_ fix: Fix) -> Bool {
        if let anchor,
            !anchor.isFarther(fix.coordinate, than: filter.threshold(speedOrNaN: fix.numbers.speed.number))
        {
            return false
        }
        anchor = DistanceAnchor(fix.coordinate)
        return true
    }

    /// Processes a batch of fixes and appends the indices of the kept ones.
    public mutating func sample(_ fixes: Span<Fix>, into kept: inout [Int]) {
        kept.append(addingCapacity: fixes.count) { sample(fixes, into: &$0) }
    }

    /// Processes a batch of fixes and appends the indices of the kept ones; there must be room for as many indices as
    /// there are fixes.
    public mutating func sample(_ fixes: Span<Fix>, into kept: inout OutputSpan<Int>) {
        var start = 0
        if anchor == nil, !fixes.isEmpty, keeps(fixes[0]) {
            kept.append(0)
            start = 1
        }
        guard var last = anchor else { return }
        for index in start..<fixes.count {
            let coordinate = fixes[index].coordinate
            let threshold = filter.threshold(speedOrNaN: fixes[index].numbers.speed.number)
            guard last.isFarther(coordinate, than: threshold) else { continue }
            last = DistanceAnchor(coordinate)
            kept.append(index)
        }
        anchor = last
    }
}
