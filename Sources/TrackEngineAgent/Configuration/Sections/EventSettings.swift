package import TrackEngine
package import TrackEnginePlaces
package import TrackEngineSettings

/// The section `events`: the events to detect in the track, and the places where positions are private.
package struct EventSettings: Sendable, Hashable {
    /// Named places: entering and leaving one is an event, and visits and trips are named by them.
    package var places: [PlaceSettings] = []
    /// Files of more places.
    package var placeFiles: [String] = []
    /// Visits, trips and heartbeats.
    package var detected = TrackEventSettings()
    /// Whether the beginning and the end of a pause, and the agent's stop, become events.
    package var actions = false
    /// Whether changes of the power supply become events.
    package var power = false

    package static let fields: [Field<Self>] =
        [
            .tables("places", \.places, PlaceSettings.fields, of: PlaceSettings())
                .meaning("Named places: entering and leaving one is an event, and visits and trips are named by them."),
            .texts("placeFiles", \.placeFiles, .path, "a list of paths")
                .meaning("Files of more places: GeoJSON, KML or OwnTracks' waypoints."),
        ] + TrackEventSettings.settings.map { Field($0).within(\.detected) } + [
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
        let configuration = detected.configuration(places: try namedPlaces() + filed)
        return configuration.isEmpty ? nil : try TrackEventDetector(configuration, device: device)
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
