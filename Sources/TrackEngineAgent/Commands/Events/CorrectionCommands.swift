import ArgumentParser
import TrackEngine
import TrackEngineFiles
import TrackEnginePlaces
import TrackEngineSettings

/// `trackd visits rename ID NAME`
struct VisitNameCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Name the place of a visit.")

    @OptionGroup var event: EventSelection<VisitSubject>

    @Argument(help: "The name of the place.")
    var name: String

    func run() async throws { try await event.correct { _ in .rename(name) } }
}

/// `trackd trips mode ID MODE`
struct SetTripMode: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "mode", abstract: "Set the mode of a trip.")

    @OptionGroup var event: EventSelection<TripSubject>

    @Argument(help: "One of \(TripMode.allCases.map(\.name).inWords).", transform: CommandArgument.tripMode)
    var mode: TripMode

    func run() async throws { try await event.correct { _ in .mode(mode) } }
}

/// `trackd visits reject ID`
struct EventRejectionCommand<Subject: EventSubject>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: "reject", abstract: "Reject a \(Subject.kind.name) that did not happen.")
    }

    @OptionGroup var event: EventSelection<Subject>

    func run() async throws { try await event.correct { _ in .reject } }
}

/// `trackd visits merge ID LAST`
struct MergeEvents<Subject: EventSubject>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "merge",
            abstract: "Make one of a \(Subject.kind.name) and all later ones up to another.")
    }

    @OptionGroup var event: EventSelection<Subject>

    @Argument(help: "The last one: its id, or the beginning of it.")
    var last: String

    func run() async throws {
        try await event.correct { events in
            let end = try EventSelection<Subject>.find(last, in: events)
            return .merge(upTo: Subject.span(of: end).from)
        }
    }
}

/// `trackd trips split ID --at TIME`
struct SplitEvent<Subject: EventSubject>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "split", abstract: "Make two of a \(Subject.kind.name).",
            discussion: Subject.kind == .trip
                ? "Where it is divided, and how far that is from its start, is looked up in the stored track." : "")
    }

    @OptionGroup var event: EventSelection<Subject>

    @Option(help: ArgumentHelp("When the second part begins.", valueName: "time"), transform: CommandArgument.time)
    var at: Timestamp

    func run() async throws {
        let all = Subject.events(of: try await event.events.load())
        let span = Subject.span(of: try EventSelection<Subject>.find(event.id, in: all))
        let point = Subject.kind == .trip ? try await point(within: span.from, span.to) : nil
        try await event.correct { _ in .split(at: at, point) }
    }

    /// The position of the stored record that is nearest in time, as far as the track is still stored.
    private func point(within from: Timestamp, _ to: Timestamp?) async throws -> Correction.SplitPoint? {
        let records = try await event.events.lines(ExportRequest(format: .ndjson, from: from, to: to))
            .compactMap(TrackPoint.init)
        guard let start = records.first,
            let nearest = records.min(by: { $0.distance(to: at) < $1.distance(to: at) })
        else { return nil }
        return Correction.SplitPoint(
            coordinate: nearest.coordinate, distance: max(0, nearest.odometer - start.odometer))
    }
}

/// `trackd visits undo ID`
struct UndoCorrection<Subject: EventSubject>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "undo", abstract: "Undo all corrections of a \(Subject.kind.name).",
            discussion:
                "One that was rejected is in no list any more, and known by the beginning of its id all the same.")
    }

    @OptionGroup var event: EventSelection<Subject>

    func run() async throws { try await event.undo() }
}

/// A record of the track as commands need it.
private struct TrackPoint {
    let time: Timestamp
    let coordinate: Coordinate
    let odometer: Double

    init?(_ json: JSONValue) {
        guard let time = json["timestamp"]?.string.flatMap({ Timestamp(rfc3339: $0) }),
            let latitude = json["coords"]?["latitude"]?.number, let longitude = json["coords"]?["longitude"]?.number,
            let odometer = json["odometer"]?.number
        else { return nil }
        self.time = time
        self.odometer = odometer
        coordinate = Coordinate(latitude: latitude, longitude: longitude)
    }

    func distance(to time: Timestamp) -> Double { abs(self.time.duration(since: time) / .seconds(1)) }
}
