import ArgumentParser
import TrackEngine
import TrackEngineFiles
import TrackEnginePlaces
import TrackEngineSettings

/// The stored visits and trips, with the user's corrections.
struct StoredEvents: ParsableArguments {
    @OptionGroup var control: ControlOptions

    @Option(
        help: ArgumentHelp("No event before this time or day.", valueName: "time"), transform: CommandArgument.time)
    var from: Timestamp?

    @Option(
        help: ArgumentHelp("No event at or after this time or day.", valueName: "time"),
        transform: CommandArgument.time)
    var to: Timestamp?

    /// The events, each in its newest state, and each kind in order of time.
    func load() async throws -> (visits: [Visit], trips: [Trip]) {
        let lines = try await lines(
            ExportRequest(format: .ndjson, from: from, to: to, kinds: [.visit, .trip]))
        var visits: [EventID: Visit] = [:]
        var trips: [EventID: Trip] = [:]
        for line in lines {
            if let visit = EventMembers.visit(line) { visits[visit.id] = visit }
            if let trip = EventMembers.trip(line) { trips[trip.id] = trip }
        }
        return try await book().corrected(visits: Array(visits.values), trips: Array(trips.values))
    }

    /// Stored records as JSON, one value per record.
    func lines(_ request: ExportRequest) async throws -> [JSONValue] {
        var text: [UInt8] = []
        try await control.export(request) { text += $0 }
        return text.split(separator: UInt8(ascii: "\n")).compactMap {
            JSONValue(ifReadable: Array($0), maximumDepth: 8)
        }
    }

    /// The user's corrections, from a running agent or from the file next to its store.
    func book() async throws -> CorrectionLog {
        var text: [UInt8] = []
        func take(_ part: JSONValue) { text += Array((part.string ?? "").utf8) }
        let answer = try await control.answerOrState(of: .corrections, part: take) { configuration in
            try ControlOptions.reporting { try CorrectionFile(of: configuration).read() }
        }
        switch answer {
        case .state(let book, _): return book
        case .agent:
            return try ControlOptions.reporting {
                do throws(CorrectionProblem) { return try CorrectionLog(json: text) } catch {
                    throw PlaceRejection(error.description)
                }
            }
        }
    }
}

extension CorrectionFile {
    /// The file next to the store of a configuration, for a command without an agent.
    init(of configuration: AgentConfiguration) throws {
        let secrets = AgentSecretReader(SecretReader(environment: ProcessEnvironment.current))
        self.init(in: configuration.store.path, key: try configuration.store.provenKey(secrets))
    }
}

extension SavedPlaceFile {
    /// The file next to the store of a configuration, for a command without an agent.
    init(of configuration: AgentConfiguration) throws {
        let secrets = AgentSecretReader(SecretReader(environment: ProcessEnvironment.current))
        self.init(in: configuration.store.path, key: try configuration.store.provenKey(secrets))
    }
}

extension ControlOptions {
    /// Converts a refusal into a message and exit status 64.
    static func reporting<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let refusal as PlaceRejection { throw ExitStatus.usage.saying("\(refusal)") }
    }
}
