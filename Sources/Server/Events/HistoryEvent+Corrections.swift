import TrackEngine
import TrackEngineHistory

/// One correction of an event; where it has no meaning for an event nothing changes.
extension HistoryEvent {
    /// A visit at a place of another name.
    func renamed(_ name: String) -> HistoryEvent {
        guard case .visit(let visit) = content else { return self }
        return HistoryEvent(
            Visit(
                id: visit.id, centre: visit.centre, radius: visit.radius, arrival: visit.arrival,
                departure: visit.departure, place: PlaceName(id: visit.place?.id ?? "", name: name)))
    }

    /// A trip in another mode.
    func travelled(by mode: TripMode) -> HistoryEvent {
        guard case .trip(let trip) = content else { return self }
        return HistoryEvent(trip.with(mode: mode))
    }

    /// It and a later one of its kind as one, from the beginning of this one to the end of that one; `nil` for another kind.
    func merged(with other: HistoryEvent) -> HistoryEvent? {
        switch (content, other.content) {
        case (.visit(let visit), .visit(let later)) where visit.arrival <= later.arrival:
            return HistoryEvent(
                Visit(
                    id: visit.id, centre: visit.centre, radius: max(visit.radius, later.radius),
                    arrival: visit.arrival, departure: later.departure, place: visit.place ?? later.place))
        case (.trip(let trip), .trip(let later)) where trip.start.time <= later.start.time:
            // What was corrected in the agent, too, counts once.
            guard trip.end != later.end || trip.end == nil else { return self }
            let climbs = [trip.climb, later.climb].compactMap(\.self)
            return HistoryEvent(
                trip.with(
                    end: later.end, distance: trip.distance + later.distance,
                    movingTime: trip.movingTime + later.movingTime,
                    topSpeed: [trip.topSpeed, later.topSpeed].compactMap(\.self).max(),
                    climb: climbs.isEmpty ? nil : climbs.reduce(0, +), endedBy: later.endedBy))
        case _: return nil
        }
    }

    /// The part before a moment, under its id, and the part from there on; `nil` where the moment is not within it, or it lasts.
    ///
    /// Figures of a trip are shared out in proportion to time: of its parts no more is known.
    ///
    /// - Parameter place: where the device was then; the middle between the ends where that is not known.
    func split(at time: Timestamp, place: Coordinate?) -> (HistoryEvent, HistoryEvent)? {
        guard let end, time > begin, time < end else { return nil }
        switch content {
        case .visit(let visit):
            func part(_ id: EventID, _ arrival: Timestamp, _ departure: Timestamp) -> HistoryEvent {
                HistoryEvent(
                    Visit(
                        id: id, centre: visit.centre, radius: visit.radius, arrival: arrival, departure: departure,
                        place: visit.place))
            }
            return (part(id, begin, time), part(id.ofPart(from: time), time, end))
        case .trip(let trip):
            guard let last = trip.end else { return nil }
            let share = time.duration(since: begin) / end.duration(since: begin)
            let middle = Trip.Terminus(
                time: time, coordinate: place ?? trip.start.coordinate.middle(to: last.coordinate))
            let (first, second) = (trip.part(share, end: middle), trip.part(1 - share, end: last))
            return (
                HistoryEvent(first.with(endedBy: .requested)),
                HistoryEvent(second.with(id: id.ofPart(from: time), start: middle, endedBy: trip.endedBy))
            )
        case .transition: return nil
        }
    }
}

extension EventID {
    /// The id of what begins where another one was split: the same each time.
    fileprivate func ofPart(from time: Timestamp) -> EventID {
        EventID(device: DeviceID(rawValue: description), kind: .action, beginning: time)
    }
}

extension Coordinate {
    /// Half of the way to another one, on the shorter side of the Earth.
    fileprivate func middle(to other: Coordinate) -> Coordinate {
        let turn = ((other.longitude - longitude) / 360).rounded() * 360
        let middle = (longitude + other.longitude - turn) / 2
        return Coordinate(
            latitude: (latitude + other.latitude) / 2, longitude: middle < -180 ? middle + 360 : middle)
    }
}

extension Trip {
    /// A part of it with its share of the figures.
    fileprivate func part(_ share: Double, end: Terminus) -> Trip {
        with(
            end: end, distance: distance * share, movingTime: .seconds(movingTime / .seconds(1) * share),
            topSpeed: topSpeed, climb: climb.map { $0 * share }, endedBy: endedBy)
    }

    fileprivate func with(
        id: EventID? = nil, mode: TripMode? = nil, start: Terminus? = nil, endedBy: Trigger?
    ) -> Trip {
        Trip(
            id: id ?? self.id, mode: mode ?? self.mode, start: start ?? self.start, end: end, distance: distance,
            movingTime: movingTime, topSpeed: topSpeed, climb: climb, startedBy: startedBy, endedBy: endedBy)
    }

    fileprivate func with(mode: TripMode) -> Trip { with(mode: mode, endedBy: endedBy) }

    fileprivate func with(
        end: Terminus?, distance: Double, movingTime: Duration, topSpeed: Double?, climb: Double?, endedBy: Trigger?
    ) -> Trip {
        Trip(
            id: id, mode: mode, start: start, end: end, distance: distance, movingTime: movingTime, topSpeed: topSpeed,
            climb: climb, startedBy: startedBy, endedBy: endedBy)
    }
}
