internal import TrackEngine

/// Makes visits of stops: one announced at each arrival, completed under the same id at the departure.
struct VisitDetector: Sendable {
    let device: DeviceID

    /// The visit of a stop.
    ///
    /// - Parameter isComplete: whether the object has left.
    func visit(_ stop: Stop, isComplete: Bool, named place: (Coordinate) -> PlaceName?) -> Visit {
        let centre = stop.centre
        return Visit(
            id: EventID(device: device, kind: .visit, beginning: stop.arrival.time), centre: centre,
            radius: stop.radius, arrival: stop.arrival.time, departure: isComplete ? stop.lastRest.time : nil,
            place: place(centre))
    }
}
