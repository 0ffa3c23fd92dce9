import Measure
import TrackEngine

/// The filter of the rule `deviation`, over a drive and over the worst track there is for it.
public final class DeviationWorkload {
    private let fixes: [Fix]
    private static let bound = 10.0

    private init(_ fixes: [Fix]) { self.fixes = fixes }

    /// Over a drive of so many fixes.
    public static func drive(_ count: Int) -> DeviationWorkload { DeviationWorkload(SampleTrack.fixes(count)) }

    /// Over so many fixes of a thing that goes straight on and seems to swerve by nine tenths of the bound each second.
    ///
    /// The straight way stays possible all the time, but no fix lies on it: the window fills up, and each election makes
    /// two candidates look at all of it again.
    public static func zigzag(_ count: Int) -> DeviationWorkload {
        DeviationWorkload(
            (0..<count).map { second in
                Fix(
                    time: Timestamp(secondsSince1970: 1_772_359_200 + Int64(second)),
                    coordinate: Coordinate(
                        latitude: swerve(second) * bound / 110_600, longitude: Double(second) * 1e-4))
            })
    }

    /// The first fix lies on the way, those after it beside it.
    private static func swerve(_ second: Int) -> Double { second == 0 ? 0 : second % 2 == 0 ? 0.9 : -0.9 }

    /// One fix after the other, through one filter that goes on from run to run with a new track.
    public func eachFix() -> Contender {
        var filter = DeviationFilter(maximumDeviation: Self.bound)
        return Contender(units: fixes.count) { [fixes] in
            var kept = 0
            for fix in fixes { filter.offer(fix) { _ in kept += 1 } }
            keep(kept)
        }
    }

    /// What the costliest call takes, in nanoseconds: of each call the best of many repetitions, so that the figure is the
    /// filter's and not the machine's, and of these the worst. The clock's own time is in it.
    public func worstCall(repetitions: Int) -> Double {
        var best = [UInt64](repeating: .max, count: fixes.count)
        for _ in 0..<repetitions {
            var filter = DeviationFilter(maximumDeviation: Self.bound)
            var kept = 0
            var before = nanoseconds()
            for (index, fix) in fixes.enumerated() {
                filter.offer(fix) { _ in kept += 1 }
                let after = nanoseconds()
                best[index] = min(best[index], after - before)
                before = after
            }
            keep(kept)
        }
        return Double(best.max() ?? 0)
    }
}
