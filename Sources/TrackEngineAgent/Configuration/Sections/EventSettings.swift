package import TrackEngine
package import TrackEnginePlaces
package import TrackEngineSettings

/// The section `events`: the events to detect in the track, and the places where positions are private.
package struct EventSettings: Sendable, Hashable {
    /// Named places: entering and leaving one is an event, and visits and trips are named by them.
    package var places: [PlaceSettings] = []
    /// Files of more places.
    package var placeFiles: [String] = []
    /// Whether visits become events.
    package var visits = false
    /// Whether trips become events without a request.
    package var trips = false
    /// The time that the object must rest for a stay.
    package var stopAfter = VisitAndTripSettings().stopAfter
    /// The largest distance of the fixes of a stay from their middle, in metres.
    package var stayRadius = VisitAndTripSettings().radius
    /// The least distance of a trip, in metres.
    package var minimumDistance = VisitAndTripSettings().minimumDistance
    /// The time without a fix after which a trip is over.
    package var gap = VisitAndTripSettings().gap
    /// The interval between heartbeats at rest; `nil` for none.
    package var heartbeat: Duration?
    /// Whether the beginning and the end of a pause, and the agent's stop, become events.
    package var actions = false
    /// Whether changes of the power supply become events.
    package var power = false

    package static let fields: [Field<Self>] = [
        .tables("places", \.places, PlaceSettings.fields, of: PlaceSettings())
            .meaning("Named places: entering and leaving one is an event, and visits and trips are named by them."),
        .texts("placeFiles", \.placeFiles, .path, "a list of paths")
            .meaning("Files of more places: GeoJSON, KML or OwnTracks' waypoints."),
        .flag("visits", \.visits).meaning("Records stays: at the arrival, and once more at the departure."),
        .flag("trips", \.trips).meaning("Records trips: at the start, and once more at the end."),
        .seconds("stopAfter", \.stopAfter, VisitAndTripSettings.stopAfterSeconds)
            .meaning("How long the object must rest for a stay; a trip ends where the stay begins."),
        .number("stayRadius", \.stayRadius, VisitAndTripSettings.radii, "metres")
            .meaning("How far from their middle the fixes of a stay lie, in addition to their own uncertainty."),
        .number("minimumDistance", \.minimumDistance, VisitAndTripSettings.minimumDistances, "metres")
            .meaning("The least distance of a trip; shorter ones are not recorded."),
        .seconds("gap", \.gap, VisitAndTripSettings.gapSeconds)
            .meaning("After so long without a fix a trip is over where the last one was."),
        .seconds("heartbeat", \.heartbeat, HeartbeatDetector.intervals)
            .meaning("The time between signs of life of an object that rests; null for none."),
        .flag("actions", \.actions)
            .meaning("Records that a pause begins or ends and that the agent stops, at the newest position."),
        .flag("power", \.power)
            .meaning("Records that the battery begins to charge or discharge, at the newest position."),
    ]

    /// Reads the section; contradictions are reported at their lines.
    static func decode(_ root: inout TableDecoder) -> EventSettings {
        var events = EventSettings()
        root.table("events") { table in
            for field in fields { field.read(&table, &events) }
            for problem in events.problems { table.reject(problem) }
        }
        return events
    }
}

// MARK: - Derived values

extension EventSettings {
    /// All problems beyond single values.
    private var problems: [ConfigurationProblem] {
        var problems: [ConfigurationProblem] = []
        for place in places {
            do throws(ConfigurationError) { _ = try place.place } catch { problems += error.problems }
        }
        // The following checks need valid places.
        guard problems.isEmpty else { return problems }
        var seen: Set<String> = []
        for place in places where !seen.insert(place.id ?? place.name).inserted {
            problems.append(
                ConfigurationProblem(
                    key: "places.\(place.name).id", value: place.id ?? place.name,
                    expectation: "an id, or a name, that no other place has"))
        }
        for place in places {
            guard [.cut, .blur].contains(place.privacy) else { continue }
            let useless = [
                place.tracking.map { (key: "tracking", value: $0.rawValue, expected: "null") },
                place.sync ? (key: "sync", value: "true", expected: "false") : nil,
            ]
            for (key, value, expected) in useless.compactMap(\.self) {
                problems.append(
                    ConfigurationProblem(
                        key: "places.\(place.name).\(key)", value: value,
                        expectation:
                            "\(expected) with privacy: \(place.privacy.rawValue), which hides that the object is there"
                    ))
            }
        }
        guard problems.isEmpty else { return problems }
        do throws(ConfigurationError) { _ = try detector(of: "device") } catch { problems += error.problems }
        do throws(ConfigurationError) { _ = try privacyZones } catch { problems += error.problems }
        return problems
    }

    /// The kinds of events about the agent and its machine to record.
    package var told: RecordKinds {
        var told: RecordKinds = []
        if actions { told.insert(.action) }
        if power { told.insert(.power) }
        return told
    }

    /// Makes the event detector; `nil` if no events are wanted.
    ///
    /// - Throws: the problems, under the keys of this section.
    ///
    /// - Parameter filed: the places of ``placeFiles``.
    package func detector(of device: DeviceID, filed: [Place] = []) throws(ConfigurationError) -> TrackEventDetector? {
        var configuration = TrackEventDetector.Configuration()
        configuration.places = try namedPlaces() + filed
        if visits || trips {
            var stays = stays
            (stays.reportsVisits, stays.reportsTrips) = (visits, trips)
            configuration.stays = stays
        }
        configuration.heartbeat = heartbeat
        return configuration.isEmpty ? nil : try TrackEventDetector(configuration, device: device)
    }

    /// The criteria for stays and trips.
    var stays: VisitAndTripSettings {
        var stays = VisitAndTripSettings()
        (stays.stopAfter, stays.radius) = (stopAfter, stayRadius)
        (stays.minimumDistance, stays.gap) = (minimumDistance, gap)
        return stays
    }

    /// The places of the section itself that have events. A place that is cut or blurred must not be known as
    /// visited: its events would reveal its centre, even those of a fast pass, which fixes outside show.
    func namedPlaces() throws(ConfigurationError) -> [Place] {
        var told: [Place] = []
        for place in places where place.privacy != .cut && place.privacy != .blur {
            if let place = try place.place { told.append(place) }
        }
        return told
    }

    /// The privacy zones; `nil` if there is none.
    ///
    /// - Throws: the problems, under the keys of this section.
    package var privacyZones: PrivacyZones? {
        get throws(ConfigurationError) {
            var zones: [PrivacyZones.Zone] = []
            for place in places {
                guard let treatment = place.treatment, let zone = try place.place else { continue }
                zones.append(PrivacyZones.Zone(zone, treatment))
            }
            return zones.isEmpty ? nil : try PrivacyZones(zones)
        }
    }

    /// The settings for a recording that no agent takes: at places where recording is off, the position is dropped.
    var asReplayed: EventSettings {
        var events = self
        for index in places.indices where places[index].tracking == .off {
            (events.places[index].tracking, events.places[index].privacy) = (nil, .cut)
        }
        return events
    }

    /// The places where recording is off, as zones; `nil` without one. Their problems were reported when they were
    /// read.
    var offZones: PrivacyZones? {
        let off = places.filter { $0.tracking == .off }.compactMap { try? $0.place }
        return off.isEmpty ? nil : try? PrivacyZones(off.map { PrivacyZones.Zone($0, .drop) })
    }
}
