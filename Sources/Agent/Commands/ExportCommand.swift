import ArgumentParser
import Logging
import TrackEngine
import TrackEngineFormats
import TrackEngineSettings

/// `trackd export [--format F] [--from T] [--to T] [--output FILE]`
struct ExportCommand: AsyncParsableCommand {
    /// The formats of which it makes sense for a store of several sources.
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

    @Option(name: .shortAndLong, help: ArgumentHelp("Where to write; by default standard output.", valueName: "file"))
    var output: String?

    func validate() throws {
        guard let from, let to, from >= to else { return }
        throw ValidationError("--from: expected a time before that of --to")
    }

    func run() async throws {
        BufferedOutput.ignoreBrokenPipes()
        let request = ExportRequest(format: format.format, from: from, to: to)
        let output = try ExportOutput(path: output)
        do {
            try await exportFromAgent(request, to: output)
        } catch let error as BufferedOutput.WriteError {
            guard error.isBrokenPipe else {
                StandardError.write("\(error)\n")
                throw ExitStatus.cannotCreate
            }
        }
    }

    /// Asks the agent, or opens the store where nobody answers.
    private func exportFromAgent(_ request: ExportRequest, to output: ExportOutput) async throws {
        try await control.withClient { client in
            do {
                _ = try await client.send(.export(request), within: .seconds(60)) { part in
                    guard let text = part.string else {
                        throw ControlError(.malformed, "the agent's answer is no text")
                    }
                    try await output.write(Array(text.utf8))
                }
            } catch let error as ControlError where error.code == .unavailable {
                try await exportFromStore(request, to: output)
            }
        }
    }

    private func exportFromStore(_ request: ExportRequest, to output: ExportOutput) async throws {
        let configuration = try control.options.load().store
        guard configuration.mayHoldRecords else {
            StandardError.write("no agent runs here, and there is no store in \(configuration.path)\n")
            throw ExitStatus.noInput
        }
        let store = try await open(configuration)
        do {
            let last = try await store.status().lastSequence
            let export = TrackExport(request, upTo: last) { try await store.records(after: $0, limit: $1) }
            try await export.run { try await output.write($0) }
            await store.close()
        } catch {
            await store.close()
            throw error
        }
    }

    private func open(_ configuration: StoreConfiguration) async throws -> any FixStore {
        do throws(StoreError) {
            let logger = Logger(label: Agent.current.name) { _ in SwiftLogNoOpLogHandler() }
            let secrets = AgentSecrets(SecretReader(environment: ProcessEnvironment.current))
            return try await configuration.kind.openStore(in: configuration.path, secrets: secrets, logger: logger)
        } catch {
            StandardError.write("cannot open the store: \(error)\n")
            throw error.exitStatus
        }
    }
}
