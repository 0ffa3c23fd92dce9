package import TrackEngine
import TrackEngineHistory

/// What the trips of a span come to, by the means of travel.
///
/// Of a trip over a bound of the span the part counts that lies in it, in proportion to time: so the days of a week come to what
/// the week comes to. Its number counts on both sides.
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

    /// Nothing yet.
    package init() {}

    /// Counts a trip; nothing else counts.
    package mutating func add(_ timed: TimedEvent, in span: Range<Timestamp>) {
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
