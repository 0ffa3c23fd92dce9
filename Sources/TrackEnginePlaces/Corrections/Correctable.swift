import TrackEngine

/// A time span that a person may correct.
protocol Correctable {
    var id: EventID { get }
    var begin: Timestamp { get }
    /// The end; `nil` while the event lasts.
    var finish: Timestamp? { get }
    /// Joins the event with a later one.
    func joined(with later: Self) -> Self
    /// Splits the event into two parts; `nil` if the time is not within it.
    func split(at time: Timestamp, _ point: Correction.SplitPoint?, _ second: EventID) -> (Self, Self)?
    /// Returns the event with another name or mode.
    func changed(_ change: Correction.Change) -> Self
}

extension Correctable {
    /// Whether another event lies within this one.
    func covers(_ other: some Correctable) -> Bool {
        guard other.begin >= begin else { return false }
        guard let finish else { return true }
        return other.finish.map { $0 <= finish } ?? false
    }

    /// Whether a time lies within the event, excluding its ends.
    func isWithin(_ time: Timestamp) -> Bool { time > begin && finish.map { time < $0 } ?? true }
}

extension Visit: Correctable {
    var begin: Timestamp { arrival }
    var finish: Timestamp? { departure }

    /// Joins two visits. The centre is weighted by their durations; the radius covers both of their areas.
    func joined(with later: Visit) -> Visit {
        let seconds = [self, later].map { visit in
            max(1, visit.departure.map { $0.duration(since: visit.arrival) / .seconds(1) } ?? 1)
        }
        let middle = centre.between(later.centre, seconds[1] / (seconds[0] + seconds[1]))
        let reach = max(middle.distance(to: centre) + radius, middle.distance(to: later.centre) + later.radius)
        return Visit(
            id: id, centre: middle, radius: reach, arrival: arrival, departure: later.departure,
            place: place ?? later.place, endedBy: later.endedBy)
    }

    func split(at time: Timestamp, _ point: Correction.SplitPoint?, _ second: EventID) -> (Visit, Visit)? {
        guard isWithin(time) else { return nil }
        return (
            Visit(id: id, centre: centre, radius: radius, arrival: arrival, departure: time, place: place),
            Visit(
                id: second, centre: centre, radius: radius, arrival: time, departure: departure, place: place,
                endedBy: endedBy)
        )
    }

    func changed(_ change: Correction.Change) -> Visit {
        guard case .rename(let name) = change else { return self }
        return Visit(
            id: id, centre: centre, radius: radius, arrival: arrival, departure: departure,
            place: PlaceName(id: place?.id ?? "", name: name), endedBy: endedBy)
    }
}

extension Trip: Correctable {
    var begin: Timestamp { start.time }
    var finish: Timestamp? { end?.time }

    func joined(with later: Trip) -> Trip {
        Trip(
            id: id, mode: mode, start: start, end: later.end, distance: distance + later.distance,
            movingTime: movingTime + later.movingTime, topSpeed: Self.either(topSpeed, later.topSpeed, max),
            climb: Self.either(climb, later.climb, +), startedBy: startedBy, endedBy: later.endedBy)
    }

    private static func either(
        _ one: Double?, _ other: Double?, _ both: (Double, Double) -> Double
    ) -> Double? {
        guard let one, let other else { return one ?? other }
        return both(one, other)
    }

    /// Splits a trip. Without a split point, the point is on the line between the ends, and distance and moving time
    /// are divided in proportion to the time. The climb of the parts is unknown; each part keeps the top speed of
    /// the whole trip.
    func split(at time: Timestamp, _ point: Correction.SplitPoint?, _ second: EventID) -> (Trip, Trip)? {
        guard let end, isWithin(time) else { return nil }
        let share = time.duration(since: start.time) / end.time.duration(since: start.time)
        let coordinate = point?.coordinate ?? start.coordinate.between(end.coordinate, share)
        let first = point.map { min(max($0.distance, 0), distance) } ?? distance * share
        let moved = distance > 0 ? first / distance : share
        let middle = End(time: time, coordinate: coordinate)
        return (
            Trip(
                id: id, mode: mode, start: start, end: middle, distance: first, movingTime: movingTime * moved,
                topSpeed: topSpeed, startedBy: startedBy, endedBy: .requested),
            Trip(
                id: second, mode: mode, start: middle, end: end, distance: distance - first,
                movingTime: movingTime * (1 - moved), topSpeed: topSpeed, startedBy: .requested, endedBy: endedBy)
        )
    }

    func changed(_ change: Correction.Change) -> Trip {
        guard case .mode(let mode) = change else { return self }
        return Trip(
            id: id, mode: mode, start: start, end: end, distance: distance, movingTime: movingTime, topSpeed: topSpeed,
            climb: climb, startedBy: startedBy, endedBy: endedBy)
    }
}
