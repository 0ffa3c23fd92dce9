import ArgumentParser
import TrackEngine
import TrackEngineFiles
import TrackEngineSettings

/// `trackd export [--format F] [--from T] [--to T] [--output FILE]`
struct ExportCommand: AsyncParsableCommand {
    /// The formats that are useful for a store of several sources.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case gpx, geojson, kml, csv, ndjson

        var format: TrackFormat {
            switch self {
            case .gpx: .gpx
            case .geojson: .geojson
            case .kml: .kml
            case .csv: .csv
            case .ndjson: .ndjson
            }
        }
    }

    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the stored records, while the agent runs too.",
        discussion: """
            A running agent is asked, since one process owns the store; where none runs, the store is opened. The exit \
            status is 66 if there is no store, 73 if the output cannot be written, 75 if another process has the store, \
            78 for a configuration that cannot be used or a store that its key does not open.
            """)

    @OptionGroup var control: ControlOptions

    @Option(help: "gpx, geojson, kml, csv or ndjson.")
    var format = Format.gpx

    @Option(
        help: ArgumentHelp("No record before this time or day.", valueName: "time"), transform: CommandArgument.time)
    var from: Timestamp?

    @Option(
        help: ArgumentHelp("No record at or after this time or day.", valueName: "time"),
        transform: CommandArgument.time)
    var to: Timestamp?

    @Option(
        name: .customLong("kind"),
        help: ArgumentHelp(
            "Which records: location, the default, or events, each with --kind; events are written as ndjson.",
            valueName: "kind"), transform: Self.kind)
    var kinds: [RecordKind] = []

    @Option(name: .shortAndLong, help: ArgumentHelp("Where to write; by default standard output.", valueName: "file"))
    var output: String?

    func validate() throws {
        if let from, let to, from >= to { throw ValidationError("--from: expected a time before that of --to") }
        if kinds.contains(where: { $0 != .location }), format != .ndjson {
            throw ValidationError("--kind: events are written with --format ndjson")
        }
    }

    private static func kind(_ text: String) throws -> RecordKind {
        guard let kind = RecordKind(name: text) else {
            throw ValidationError("expected one of \(RecordKind.allCases.map(\.name).inWords), not \"\(text)\"")
        }
        return kind
    }

    func run() async throws {
        CommandOutput.ignoreBrokenPipes()
        var request = ExportRequest(format: format.format, from: from, to: to)
        if !kinds.isEmpty { request.kinds = RecordKinds(kinds.map(RecordKinds.init)) }
        let output = try ExportOutput(path: output)
        do {
            try await control.export(request) { try await output.write($0) }
        } catch let error as CommandOutput.WriteError {
            guard error.isBrokenPipe else {
                throw ExitStatus.cannotCreate.saying("\(error)")
            }
        }
    }
}
