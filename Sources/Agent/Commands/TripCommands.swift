import ArgumentParser
import TrackEngine
import TrackEngineSettings

/// `trackd trips`
struct TripsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trips",
        abstract: "List the stored trips, with their ends and figures.",
        discussion: """
            Times are UTC. Trips are found with events.trips, or begun with "trip start"; those that every sink has been \
            given are kept as long as store.keepSyncedDays says.
            """)

    @OptionGroup var events: StoredEvents

    func run() async throws {
        try await events.print(.trip, orElse: "no trips are stored") { trip in
            guard let start = trip["start"] else { return nil }
            let end = trip["end"]
            let ends = [start, end].map { $0?["place"]?["name"]?.string ?? ($0 == nil ? "…" : "?") }
            let span = EventWords.span(start["time"]?.string, end?["time"]?.string)
            return "\(EventWords.time(start["time"]?.string))  \(span), "
                + "\(EventWords.kilometres(trip["distance"]?.number)), \(trip["mode"]?.string ?? "?"), "
                + ends.joined(separator: " to ")
        }
    }
}

/// `trackd visits`
struct VisitsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "visits",
        abstract: "List the stored visits: where the object has stayed, and how long.",
        discussion: "Times are UTC. Visits are found with events.visits.")

    @OptionGroup var events: StoredEvents

    func run() async throws {
        try await events.print(.visit, orElse: "no visits are stored") { visit in
            let span = EventWords.span(visit["arrival"]?.string, visit["departure"]?.string)
            let place = visit["place"]?["name"]?.string ?? "at no named place"
            return "\(EventWords.time(visit["arrival"]?.string))  \(span), \(place)"
        }
    }
}

/// `trackd trip start|stop`
struct TripCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trip",
        abstract: "Begin or end a trip by hand.",
        discussion: "The running agent looks for trips with events.trips or events.visits.",
        subcommands: [Start.self, Stop.self])

    struct Start: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Begin a trip where the object is now.")

        @OptionGroup var control: ControlOptions

        @Option(
            help: ArgumentHelp("How the object travels: \(TripMode.allCases.map(\.name).inWords).", valueName: "mode"),
            transform: Self.mode)
        var mode = TripMode.bicycle

        func run() async throws {
            _ = try await control.withClient { try await $0.send(.trip(mode), within: .seconds(30)) }
            print("a trip has begun, mode \(mode.name)")
        }

        private static func mode(_ text: String) throws -> TripMode {
            guard let mode = TripMode(name: text) else {
                throw ValidationError("expected one of \(TripMode.allCases.map(\.name).inWords), not \"\(text)\"")
            }
            return mode
        }
    }

    struct Stop: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "End the trip under way where the object is now.")

        @OptionGroup var control: ControlOptions

        func run() async throws {
            let answer = try await control.withClient { try await $0.send(.trip(nil), within: .seconds(30)) }
            print(answer["wasUnderWay"]?.boolean == true ? "the trip has ended" : "there was no trip")
        }
    }
}
