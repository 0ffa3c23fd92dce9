internal import TrackEngine

/// Creates visits from stops: each is reported at the arrival and completed with the same id at the departure.
struct VisitDetector: Sendable {
    let device: DeviceID

    /// The visit of a stop.
    ///
    /// - Parameters:
    ///   - isComplete: Whether the object has left, or the recording has ended.
    ///   - trigger: What ended the stay other than a departure.
    func visit(
        _ stop: Stop, isComplete: Bool, by trigger: Trip.Reason? = nil, named place: (Coordinate) -> PlaceName?
    ) -> Visit {
        let centre = stop.centre
        return Visit(
            id: EventID(device: device, kind: .visit, beginning: stop.arrival.time), centre: centre,
            radius: stop.radius, arrival: stop.arrival.time, departure: isComplete ? stop.lastRest.time : nil,
            place: place(centre), endedBy: trigger)
    }
}
