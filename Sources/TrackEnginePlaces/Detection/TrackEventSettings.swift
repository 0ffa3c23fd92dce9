public import TrackEngine

/// The settings of a ``TrackEventDetector`` except its places, with the keys of an agent's section `events`.
package struct TrackEventSettings: Sendable, Hashable {
    /// Whether visits become events.
    package var visits = false
    /// Whether trips become events without a request.
    package var trips = false
    /// The criteria for stays and trips.
    package var stays = VisitAndTripSettings()
    /// The interval of heartbeats at rest; `nil` for none.
    package var heartbeat: Duration?

    package static let settings: [Setting<Self>] = [
        Setting("visits", .flag(\.visits)).meaning("Records stays: at the arrival, and once more at the departure."),
        Setting("trips", .flag(\.trips)).meaning("Records trips: at the start, and once more at the end."),
        Setting("stopAfter", .seconds(\.stays.stopAfter, 30...86_400))
            .meaning("How long the object must rest for a stay; a trip ends where the stay begins."),
        Setting("stayRadius", .number(\.stays.radius, 10...1000, "metres"))
            .meaning("How far from their middle the fixes of a stay lie, in addition to their own uncertainty."),
        Setting("minimumDistance", .number(\.stays.minimumDistance, 20...10_000, "metres"))
            .meaning("The least distance of a trip; shorter ones are not recorded."),
        Setting("gap", .seconds(\.stays.gap, 300...86_400))
            .meaning("After so long without a fix a trip is over where the last one was."),
        Setting("heartbeat", .optionalSeconds(\.heartbeat, HeartbeatDetector.intervals))
            .meaning("The time between signs of life of an object that rests; null for none."),
    ]

    package init() {}

    /// Returns the configuration of a detector with these settings.
    package func configuration(places: [Place]) -> TrackEventDetector.Configuration {
        var configuration = TrackEventDetector.Configuration()
        configuration.places = places
        if visits || trips {
            configuration.stays = stays
            configuration.stays?.reportsVisits = visits
            configuration.stays?.reportsTrips = trips
        }
        configuration.heartbeat = heartbeat
        return configuration
    }
}

extension TrackEventDetector.Configuration {
    /// Creates a configuration from a JSON object with these keys of an agent's section `events`: `visits`, `trips`,
    /// `stopAfter`, `stayRadius`, `minimumDistance`, `gap`, `heartbeat`. Durations are in seconds. Absent keys have the
    /// agent's defaults: no event is detected except transitions at the places.
    ///
    /// - Throws: `ConfigurationError` with every unknown key and unusable value.
    public init(json: some Sequence<UInt8>, places: [Place] = []) throws(ConfigurationError) {
        var settings = TrackEventSettings()
        var object = try JSONSettings(json)
        object.read(TrackEventSettings.settings, into: &settings)
        object.check.values(of: settings, TrackEventSettings.settings)
        try object.finish()
        self = settings.configuration(places: places)
    }
}
