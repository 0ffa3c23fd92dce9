public import TrackEngine

extension VisitAndTripDetector {
    /// The current trip, limited to the values that do not change from fix to fix.
    public var ongoingTrip: CurrentTrip? {
        guard case .running(let running) = reporter.trips.phase, let trip = currentTrip else { return nil }
        return CurrentTrip(
            id: trip.id, mode: trip.mode, start: trip.start, startedBy: trip.startedBy,
            odometerAtStart: running.leg.mark.travelled.odometer)
    }

    /// The current trip; the named places that contain the object come from ``GeofenceMonitor``.
    public var context: RecordContext? { RecordContext(places: [], trip: ongoingTrip) }
}
