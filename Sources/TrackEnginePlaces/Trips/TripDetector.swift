internal import TrackEngine

/// Creates trips from the travel between stops, and trips on request.
///
/// A trip is reported once it is longer than the minimum distance and the object was seen moving; its start is the
/// actual beginning. A trip that is not longer when it ends is never reported. It ends where the next stop begins.
/// Before a gap it ends where the object had come to rest, or at the last fix. A requested trip ends only on request
/// or with a gap; meanwhile no automatic trip begins.
struct TripDetector: Sendable {
    enum Phase: Sendable, Hashable {
        /// No way is known: at a stop, or before the first fix.
        case none
        /// On a way that is not long enough yet. Changes to `running`, or to `none` with a stop.
        case begun(Leg)
        /// A trip has been reported. Changes to `none` at its end.
        case running(ReportedTrip)
    }

    /// The beginning of a way.
    struct Leg: Sendable, Hashable {
        let mark: TrackMark
        let place: Coordinate
        /// Whether the object left a stop there, and has therefore certainly moved.
        let isDeparture: Bool
    }

    /// A trip that has been reported.
    struct ReportedTrip: Sendable, Hashable {
        let id: EventID
        let leg: Leg
        /// The requested mode; `nil` for an automatic trip.
        let requestedMode: TripMode?
        /// The name of the place where it began.
        let startPlace: PlaceName?

        var startedBy: Trip.Reason { requestedMode == nil ? .automatic : .requested }
    }

    let device: DeviceID
    /// In metres.
    let minimumDistance: Double
    /// Whether trips begin automatically.
    let isAutomatic: Bool
    var phase = Phase.none

    // MARK: Stops

    mutating func legBegan(at mark: TrackMark, place: Coordinate, isDeparture: Bool) {
        if case .running(let trip) = phase, trip.requestedMode != nil { return }
        phase = isAutomatic ? .begun(Leg(mark: mark, place: place, isDeparture: isDeparture)) : .none
    }

    /// Records that the object has moved to a mark.
    mutating func moved(to mark: TrackMark, named place: (Coordinate) -> PlaceName?, report: (Trip) -> Void) {
        guard case .begun(let leg) = phase, isLongEnough(leg, to: mark), mark.travelled.showsMovement else { return }
        announce(leg, at: mark, mode: nil, named: place, report: report)
    }

    /// Records that the object has come to rest.
    mutating func arrived(
        at mark: TrackMark, place: Coordinate, named name: (Coordinate) -> PlaceName?, report: (Trip) -> Void
    ) {
        switch phase {
        case .none: return
        case .begun(let leg):
            phase = .none
            // The very first fix may have been an outlier.
            guard isLongEnough(leg, to: mark), leg.isDeparture || mark.travelled.showsMovement else { return }
            announce(leg, at: mark, mode: nil, named: name, report: report)
            end(at: mark, place: place, by: .automatic, named: name, report: report)
        case .running(let trip):
            guard trip.requestedMode == nil else { return }
            end(at: mark, place: place, by: .automatic, named: name, report: report)
        }
    }

    /// Ends the trip at a mark, after which the position is unknown.
    mutating func lost(
        at mark: TrackMark, by trigger: Trip.Reason, named place: (Coordinate) -> PlaceName?, report: (Trip) -> Void
    ) {
        if case .begun = phase { phase = .none }
        end(at: mark, place: mark.coordinate, by: trigger, named: place, report: report)
    }

    // MARK: Requested trips

    /// Begins a requested trip; a current one ends.
    mutating func start(
        mode: TripMode, at mark: TrackMark, named place: (Coordinate) -> PlaceName?, report: (Trip) -> Void
    ) {
        end(at: mark, place: mark.coordinate, by: .requested, named: place, report: report)
        announce(
            Leg(mark: mark, place: mark.coordinate, isDeparture: false), at: mark, mode: mode, named: place,
            report: report)
    }

    /// Ends the current trip, automatic or requested.
    ///
    /// - Parameter isMoving: Whether the object is not at a stop, so that an automatic trip may begin here.
    /// - Returns: Whether there was a trip.
    mutating func stop(
        at mark: TrackMark, isMoving: Bool, named place: (Coordinate) -> PlaceName?, report: (Trip) -> Void
    ) -> Bool {
        guard case .running(let trip) = phase else { return false }
        end(at: mark, place: mark.coordinate, by: .requested, named: place, report: report)
        var next = mark
        // Two trips that begin at the same time would have the same id.
        if trip.leg.mark.time == mark.time { next.time = mark.time.advanced(by: .nanoseconds(1)) }
        if isMoving { legBegan(at: next, place: mark.coordinate, isDeparture: false) }
        return true
    }

    // MARK: Reporting trips

    private func isLongEnough(_ leg: Leg, to mark: TrackMark) -> Bool {
        mark.travelled.odometer - leg.mark.travelled.odometer >= minimumDistance
    }

    private mutating func announce(
        _ leg: Leg, at mark: TrackMark, mode: TripMode?, named place: (Coordinate) -> PlaceName?,
        report: (Trip) -> Void
    ) {
        let trip = ReportedTrip(
            id: EventID(device: device, kind: .trip, beginning: leg.mark.time), leg: leg, requestedMode: mode,
            startPlace: place(leg.place))
        phase = .running(trip)
        report(trip.trip(to: mark, end: nil, by: nil))
    }

    private mutating func end(
        at mark: TrackMark, place: Coordinate, by trigger: Trip.Reason, named name: (Coordinate) -> PlaceName?,
        report: (Trip) -> Void
    ) {
        guard case .running(let trip) = phase else { return }
        phase = .none
        let terminus = Trip.End(time: mark.time, coordinate: place, place: name(place))
        report(trip.trip(to: mark, end: terminus, by: trigger))
    }
}

extension TripDetector.ReportedTrip {
    /// The trip up to a mark.
    func trip(to mark: TrackMark, end: Trip.End?, by trigger: Trip.Reason?) -> Trip {
        let (start, now) = (leg.mark.travelled, mark.travelled)
        let distance = max(now.odometer - start.odometer, 0)
        // At most 300 years; NaN from a damaged state counts as 0.
        let difference = now.movingTime - start.movingTime
        let movingTime = difference >= 0 ? min(difference, 9e9) : 0
        let top = now.topSpeed.isNaN ? nil : Double(now.topSpeed)
        let mean = movingTime > 0 ? distance / movingTime : nil
        return Trip(
            id: id, mode: requestedMode ?? TripModeRule.mode(top: top, mean: mean),
            start: Trip.End(time: leg.mark.time, coordinate: leg.place, place: startPlace), end: end,
            distance: distance, movingTime: .milliseconds(Int64((movingTime * 1000).rounded())), topSpeed: top,
            climb: now.hasAltitude ? max(now.climb - start.climb, 0) : nil, startedBy: startedBy,
            endedBy: trigger)
    }
}
