package import TrackEngine
import TrackEngineHistory

/// The totals of the trips of a span, by the means of travel.
///
/// If a trip crosses a bound of the span, the part within it counts, in proportion to time: the sum of the days of a
/// week is then that of the week. The trip itself counts on both sides.
package struct ModeStatistics: Sendable, Hashable {
    /// The trips of one mode.
    package struct Sum: Sendable, Hashable {
        package let mode: TripMode
        package var trips = 0
        /// Metres.
        package var distance = 0.0
        package var moving = Duration.zero
    }

    private var byMode: [TripMode: Sum] = [:]

    /// Empty statistics.
    package init() {}

    /// Counts a trip; ignores other events.
    package mutating func add(_ timed: TimelineEvent, in span: Range<Timestamp>) {
        guard case .trip(let trip) = timed.event.content, timed.overlaps(span) else { return }
        let share = timed.share(in: span)
        var sum = byMode[trip.mode] ?? Sum(mode: trip.mode)
        sum.trips += 1
        sum.distance += trip.distance * share
        sum.moving += trip.movingTime * share
        byMode[trip.mode] = sum
    }

    /// The modes with the longest way first.
    package var sums: [Sum] {
        byMode.values.sorted { ($0.distance, $1.mode.rawValue) > ($1.distance, $0.mode.rawValue) }
    }
}

extension Duration {
    fileprivate static func * (left: Duration, share: Double) -> Duration { .seconds(left / .seconds(1) * share) }
}
