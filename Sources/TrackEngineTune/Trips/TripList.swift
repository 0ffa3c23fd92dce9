package import TrackEngine
package import TrackEnginePlaces

/// The stays and trips of a track.
package struct TripList: Sendable, Hashable {
    /// The stays, in order of arrival.
    package private(set) var visits: [Visit] = []
    /// The trips, in order of their start.
    package private(set) var trips: [Trip] = []
    /// The end of the track, and of a stay or trip that lasts until then.
    package let end: Timestamp

    /// Detects the stays and trips.
    ///
    /// - Parameter places: the places by which they are named.
    /// - Throws: the problems of the settings.
    package init(
        of recording: TripRecording, _ settings: VisitAndTripSettings, places: PlaceIndex
    ) throws(ConfigurationError) {
        end = recording.fixes.last?.fix.time ?? Timestamp(nanosecondsSince1970: 0)
        var settings = settings
        (settings.reportsVisits, settings.reportsTrips) = (true, true)
        var detector = try VisitAndTripDetector(settings, device: "track") {
            places.smallestPlace(containing: $0)?.reference
        }
        var (visitOf, tripOf): ([EventID: Visit], [EventID: Trip]) = ([:], [:])
        for fix in recording.fixes {
            detector.observe(fix) { event in
                switch event.content {
                case .visit(let visit): visitOf[visit.id] = visit
                case .trip(let trip): tripOf[trip.id] = trip
                case .location, .transition, .action, .heartbeat, .power: break
                }
            }
        }
        if let trip = detector.currentTrip, tripOf[trip.id] != nil { tripOf[trip.id] = trip }
        visits = visitOf.values.sorted { $0.arrival < $1.arrival }
        trips = tripOf.values.sorted { $0.start.time < $1.start.time }
    }

    /// The times at which the object rested.
    package var stops: [TimeSpan] { visits.map { TimeSpan(from: $0.arrival, to: $0.departure ?? end) } }

    /// The times at which the object travelled.
    package var ways: [TimeSpan] { trips.map { TimeSpan(from: $0.start.time, to: $0.end?.time ?? end) } }
}
