public import TrackEngine

extension StayAndTripDetector {
    /// The trip that is under way, as far as it does not change from fix to fix.
    public var ongoingTrip: CurrentTrip? {
        guard case .running(let running) = reporter.trips.phase, let trip = currentTrip else { return nil }
        return CurrentTrip(
            id: trip.id, mode: trip.mode, start: trip.start, startedBy: trip.startedBy,
            odometerAtStart: running.leg.mark.travelled.odometer)
    }

    /// The trip under way; in which named places the object is, ``GeofenceMonitor`` knows.
    public var context: RecordContext? { RecordContext(places: [], trip: ongoingTrip) }
}
