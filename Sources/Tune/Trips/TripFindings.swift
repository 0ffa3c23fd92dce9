package import TrackEngine
package import TrackEnginePlaces

/// The stays and trips of a track.
package struct TripFindings: Sendable, Hashable {
    /// In order of their arrival.
    package private(set) var visits: [Visit] = []
    /// In order of their start.
    package private(set) var trips: [Trip] = []
    /// When the track ends, and with it what lasts.
    package let end: Timestamp

    /// Looks for them.
    ///
    /// - Parameter places: by which they are named.
    /// - Throws: what is wrong with the settings.
    package init(
        of recording: TripRecording, _ settings: StayAndTripSettings, places: PlaceIndex
    ) throws(ConfigurationError) {
        end = recording.fixes.last?.fix.time ?? Timestamp(nanosecondsSince1970: 0)
        var settings = settings
        (settings.reportsVisits, settings.reportsTrips) = (true, true)
        var detector = try StayAndTripDetector(settings, device: "track") {
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

    /// When the object rested.
    package var stops: [TimeSpan] { visits.map { TimeSpan(from: $0.arrival, to: $0.departure ?? end) } }

    /// When it was on its way.
    package var ways: [TimeSpan] { trips.map { TimeSpan(from: $0.start.time, to: $0.end?.time ?? end) } }
}
