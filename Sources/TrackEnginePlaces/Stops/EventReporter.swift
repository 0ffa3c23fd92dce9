internal import TrackEngine

/// Creates events from the results of ``StopDetector``, and measures the travel between stops.
struct EventReporter: Sendable {
    /// The fix with which events are reported.
    var fix: Fix?
    var meter = TravelMeter()
    var trips: TripDetector
    private let visits: VisitDetector?
    private let place: @Sendable (Coordinate) -> PlaceName?

    init(
        _ settings: VisitAndTripSettings, device: DeviceID, place: @escaping @Sendable (Coordinate) -> PlaceName?
    ) {
        visits = settings.reportsVisits ? VisitDetector(device: device) : nil
        trips = TripDetector(
            device: device, minimumDistance: settings.minimumDistance, isAutomatic: settings.reportsTrips)
        self.place = place
    }

    /// The distance, time and climb travelled so far.
    var reading: TravelReading { meter.reading }

    /// Measures the travel to a fix.
    mutating func travel(to fix: DetectorFix) -> TravelReading {
        meter.observe(fix.fix, odometer: fix.odometer, isCut: fix.beginsLeg)
        return meter.reading
    }

    // MARK: Events of stops

    /// Records that the object still rests at its stop.
    mutating func rests() { meter.rest() }

    /// Reports that the object has come to rest.
    mutating func arrived(at stop: Stop, report: (DetectorEvent) -> Void) {
        guard let fix else { return }
        trips.arrived(at: stop.arrival, place: stop.centre, named: place) {
            report(DetectorEvent(.trip($0), at: fix))
        }
        if let visit = visit(stop, isComplete: false) { report(DetectorEvent(.visit(visit), at: fix)) }
        meter.rest()
    }

    /// Reports that the object has left a place, or that the recording has ended there.
    func departed(from stop: Stop, by trigger: Trip.Reason? = nil, report: (DetectorEvent) -> Void) {
        guard let fix, let visit = visit(stop, isComplete: true, by: trigger) else { return }
        report(DetectorEvent(.visit(visit), at: fix))
    }

    /// Begins a leg, at a place that was left or at the first fix after an unknown period.
    ///
    /// - Parameter isDeparture: Whether a place was left.
    mutating func legBegan(at mark: TrackMark, place: Coordinate, isDeparture: Bool = false) {
        trips.legBegan(at: mark, place: place, isDeparture: isDeparture)
    }

    /// Records that the object has moved on.
    mutating func moved(to mark: TrackMark, report: (DetectorEvent) -> Void) {
        guard let fix else { return }
        trips.moved(to: mark, named: place) { report(DetectorEvent(.trip($0), at: fix)) }
    }

    /// Ends the track at a mark, after which the position is unknown.
    mutating func lost(at mark: TrackMark, by trigger: Trip.Reason, report: (DetectorEvent) -> Void) {
        guard let fix else { return }
        trips.lost(at: mark, by: trigger, named: place) { report(DetectorEvent(.trip($0), at: fix)) }
    }

    // MARK: Requested trips

    mutating func startTrip(mode: TripMode, at mark: TrackMark, report: (DetectorEvent) -> Void) {
        guard let fix else { return }
        trips.start(mode: mode, at: mark, named: place) { report(DetectorEvent(.trip($0), at: fix)) }
    }

    mutating func stopTrip(at mark: TrackMark, isMoving: Bool, report: (DetectorEvent) -> Void) -> Bool {
        guard let fix else { return false }
        return trips.stop(at: mark, isMoving: isMoving, named: place) { report(DetectorEvent(.trip($0), at: fix)) }
    }

    // MARK: Current visit and trip

    func visit(_ stop: Stop, isComplete: Bool, by trigger: Trip.Reason? = nil) -> Visit? {
        visits?.visit(stop, isComplete: isComplete, by: trigger, named: place)
    }

    func currentTrip(at mark: TrackMark) -> Trip? {
        guard case .running(let trip) = trips.phase else { return nil }
        return trip.trip(to: mark, end: nil, by: nil)
    }
}
