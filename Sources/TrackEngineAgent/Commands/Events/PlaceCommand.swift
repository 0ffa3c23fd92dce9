import ArgumentParser
import TrackEngine
import TrackEnginePlaces
import TrackEngineSettings

/// `trackd place add|list|remove`
struct PlaceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "place",
        abstract: "Add, list and remove named places outside of the configuration.",
        discussion: """
            Added places are saved in \(SavedPlaceFile.name) of the state directory, and take effect at once in a running agent: \
            entering and leaving is an event, and visits and trips are named by them. An object that is inside stays inside.
            """,
        subcommands: [Add.self, PlaceListCommand.self, Remove.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add a place, or give one that was added another area or name.",
            discussion: "A place that is added around the object causes no event: the object did not enter it.")

        @OptionGroup var control: ControlOptions

        @Argument(help: "The name of the place.")
        var name: String

        @Option(help: "Names it in messages; by default its name does.")
        var id: String?

        @Flag(help: "Where the object is now: the newest fix of the running agent.")
        var here = false

        @Option(
            help: ArgumentHelp("Its centre, such as 52.52,13.405.", valueName: "latitude,longitude"),
            transform: CommandArgument.coordinate)
        var at: Coordinate?

        @Option(help: ArgumentHelp("Its radius.", valueName: "metres"))
        var radius = 100.0

        @Option(help: "The time inside after which there is a dwell event, such as 10m.")
        var dwell: DurationArgument?

        @Option(name: .customLong("tag"), parsing: .singleValue, help: "A word that groups places. May be repeated.")
        var tags: [String] = []

        func validate() throws {
            guard here != (at != nil) else { throw ValidationError("expected --here or --at") }
        }

        func run() async throws {
            let place = PlaceAddition(
                name, id: id, centre: at, radius: radius, dwell: dwell?.duration, tags: tags)
            // Problems of the place are found before any request is sent.
            try ControlOptions.reporting { _ = try place.place(at: at ?? Coordinate(latitude: 0, longitude: 0)) }
            let answer = try await control.answerOrState(of: .addPlace(place)) { try add(place, to: $0) }
            let (wasThere, note) =
                switch answer {
                case .agent(let result): (result["wasThere"]?.boolean == true, "")
                case .state(let wasThere, let why): (wasThere, "; \(why)")
                }
            print("\(name) is \(wasThere ? "changed" : "added")\(note)")
        }

        private func add(_ place: PlaceAddition, to configuration: AgentConfiguration) throws -> Bool {
            guard let centre = place.centre else {
                throw ExitStatus.unavailable.saying(
                    "no agent runs, so the position of the object is unknown: expected --at")
            }
            let ids = try Self.configuredIDs(configuration)
            let file = try SavedPlaceFile(of: configuration)
            return try ControlOptions.reporting {
                let place = try place.place(at: centre)
                return try file.change { kept throws(PlaceRejection) in
                    let wasThere = kept.places.contains { $0.id == place.id }
                    try kept.keep([place], beside: ids, now: .now())
                    return wasThere
                }.result
            }
        }

        private static func configuredIDs(_ configuration: AgentConfiguration) throws -> Set<String> {
            try ExitStatus.reportingConfigurationProblems { () throws(AgentConfigurationError) in
                do throws(ConfigurationError) {
                    return configuration.events.configuredIDs(filed: try configuration.events.filedPlaces())
                } catch {
                    throw AgentConfigurationError(error, configuration.places)
                }
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Remove places that were added.")

        @OptionGroup var control: ControlOptions

        @Argument(help: ArgumentHelp("Their ids.", valueName: "id"))
        var ids: [String]

        func run() async throws {
            let answer = try await control.answerOrState(of: .removePlaces(ids)) { configuration in
                let file = try SavedPlaceFile(of: configuration)
                _ = try ControlOptions.reporting {
                    try file.change { kept throws(PlaceRejection) in try kept.remove(ids) }
                }
            }
            guard case .state(_, let why) = answer else { return print("removed") }
            print("removed; \(why)")
        }
    }
}

/// `trackd places`, which is `trackd place list`
struct PlaceListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "places",
        abstract: "List the named places: those of the configuration, and those that were added.",
        discussion: "Places that cut or blur positions are not in the list.", aliases: ["list"])

    @OptionGroup var control: ControlOptions

    @Flag(help: "Print a GeoJSON FeatureCollection, one place a line.")
    var json = false

    func run() async throws {
        var text: [UInt8] = []
        func take(_ part: JSONValue) { text += Array((part.string ?? "").utf8) }
        let answer = try await control.answerOrState(of: .places, part: take) { configuration in
            let file = try SavedPlaceFile(of: configuration)
            return try ControlOptions.reporting { try file.read().geoJSON(beside: configuration.events) }
        }
        if case .state(let bytes, _) = answer { text = bytes }
        guard !json else { return print(String(decoding: text, as: UTF8.self), terminator: "") }
        let features = JSONValue(ifReadable: text)?["features"]?.array ?? []
        if features.isEmpty { print("there are no places") }
        for feature in features { print(Self.line(feature)) }
    }

    /// `home  Home, circle of 100 m, added`
    private static func line(_ feature: JSONValue) -> String {
        let properties = feature["properties"]
        let id = feature["id"]?.string ?? "?"
        let area =
            switch feature["geometry"]?["type"]?.string {
            case "Point": "circle of \(metres(properties?["radius"]))"
            case "LineString": "corridor of \(metres(properties?["width"]))"
            case _: "polygon"
            }
        let origin = properties?["kept"]?.boolean == true ? "added" : "configured"
        return "\(id)  \(properties?["name"]?.string ?? id), \(area), \(origin)"
    }

    private static func metres(_ value: JSONValue?) -> String { "\(Int((value?.number ?? 0).rounded())) m" }
}
