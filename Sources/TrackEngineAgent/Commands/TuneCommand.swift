import ArgumentParser
import TrackEngine
import TrackEngineSettings
import TrackEngineTune

/// `trackd tune FILE… [--error M] [--megabytes-per-month MB] [--trips [--labels labels.json]] [--report out.html]
/// [--json]`
struct TuneCommand: AsyncParsableCommand {
    /// The names of wire formats on the command line.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case overland, mqtt, batch

        var wire: Wire {
            switch self {
            case .overland: .overland
            case .mqtt: .mqtt
            case .batch: .batch
            }
        }
    }

    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "tune",
            abstract: "Compare the recording rules on your own track, and recommend one.",
            discussion: """
                The files are one track, in the order given; gzip is unpacked, and - is standard input. Every rule sees the same fixes, those that \
                pass the gates of the configuration, and goes through the same pipeline as in `\(Agent.current.name) run`. For each it \
                prints how many records it makes, how many bytes it takes to send them, how far the track rebuilt from them is \
                from the fixes, and how long it stays silent.

                --error and --megabytes-per-month search for settings and print them as lines for the configuration. The \
                report is one page that needs no network; only its owner can read it, since it shows where the object was.

                --trips looks for stops and trips instead, by the section events of the configuration: each file is \
                a track of its own. --labels names a file with the times at which the object rested, and scores the results; \
                the report draws the worst tracks first:
                {"tracks": [{"file": "a.gpx", "rests": [{"from": 69, "to": 157}], "unsure": []}]}, \
                seconds from the first fix, every rest above 20 s. Times in "unsure" are not scored.

                All fixes are held in memory: about 110 bytes each, 10 million at the most.

                The exit status is 65 if fewer than two fixes can be used or the labels make no sense, 66 if a file cannot be read, 73 if the report \
                cannot be written, 78 for a configuration that cannot be used, else 0.
                """)
    }

    @OptionGroup var options: ConfigurationOptions

    @OptionGroup var recording: RecordingOptions

    @Option(
        help: ArgumentHelp(
            "Recommend the cheapest rule that is nowhere more than this far off.", valueName: "metres"))
    var error: Double?

    @Option(
        help: ArgumentHelp(
            "Recommend the truest rule that takes no more than this a month (1 MB = 10⁶ bytes).",
            valueName: "megabytes"))
    var megabytesPerMonth: Double?

    @Option(
        help: ArgumentHelp("How many hours a month are recorded; by default all 730.5.", valueName: "hours"))
    var hoursPerMonth = TransferBudget.wholeMonth

    @Option(help: "The format in which recommendations count bytes: overland, mqtt or batch.")
    var wire = Format.overland

    @Option(
        help: ArgumentHelp(
            "Records in a request or batch; by default the first sink's maxBatchSize, 250.", valueName: "records"))
    var batchSize: Int?

    @Option(help: ArgumentHelp("Write a page with maps and charts.", valueName: "file"))
    var report: String?

    @Flag(help: "Look for stops and trips instead, in each file by itself.")
    var trips = false

    @Option(help: ArgumentHelp("With --trips: score them against these labels.", valueName: "file"))
    var labels: String?

    @Flag(help: "Print JSON instead of the table.")
    var json = false

    func validate() throws {
        try check("--error", error, 0.1...100_000, "metres")
        try check("--megabytes-per-month", megabytesPerMonth, 0.001...1_000_000_000, "megabytes")
        try check("--hours-per-month", hoursPerMonth, 0.01...744, "hours")
        try check("--batch-size", batchSize.map(Double.init), 1...10_000, "records")
        if labels != nil, !trips { throw ValidationError("--labels: expected --trips, too") }
        guard trips else { return }
        if error != nil || megabytesPerMonth != nil {
            throw ValidationError("--trips: expected without --error and --megabytes-per-month")
        }
        if recording.files.count > TripTuning.mostFiles {
            throw ValidationError("--trips: expected at most \(TripTuning.mostFiles) files")
        }
    }

    private func check(_ name: String, _ value: Double?, _ range: ClosedRange<Double>, _ unit: String) throws {
        guard let value, !range.contains(value) else { return }
        throw ValidationError(
            "\(name): expected \(range.lowerBound.short) to \(range.upperBound.short) \(unit), not \(value)")
    }

    /// On the main actor, because reading and computing block and must not occupy a thread of the cooperative pool.
    @MainActor func run() async throws {
        let configuration = try options.load()
        CommandOutput.ignoreBrokenPipes()
        var input = InputFiles(recording.replayOptions, environment: ProcessEnvironment.current)
        if trips {
            try tuneTrips(configuration, &input)
            if input.hasFailed { throw ExitStatus.noInput }
            return
        }
        let track = try gather(configuration.tracking, from: &input)
        let tuning = try tune(track, configuration)
        try print(json ? TuneJSON(tuning, files: recording.files).bytes : Array(table(tuning).text.utf8))
        if let report { try write(TuneReport(tuning, files: recording.files).bytes, to: report) }
        if input.hasFailed { throw ExitStatus.noInput }
    }

    private func gather(_ configuration: RecordingConfiguration, from input: inout InputFiles) throws -> RecordedTrack {
        var gatherer = RecordedTrack.Recorder(configuration, wallClock: recording.wallClock)
        for file in recording.files { input.read(file) { gatherer.take($0) } }
        let track = gatherer.finish()
        if input.problems > 0 { input.say("\(input.problems.counted("problem")) in all; the rest is used") }
        input.finish()
        do throws(TuningError) {
            return try track.checked()
        } catch {
            if input.hasFailed { throw ExitStatus.noInput }
            input.say(error.description)
            throw ExitStatus.dataError
        }
    }

    private func tune(_ track: RecordedTrack, _ configuration: AgentConfiguration) throws -> Tuning {
        var terms = Tuning.Options()
        terms.configuration = configuration.tracking
        terms.device = DeviceID(rawValue: configuration.device.id ?? "track")
        terms.batchSize = batchSize ?? configuration.sinks.first?.sync.maxBatchSize ?? terms.batchSize
        terms.wire = wire.wire
        terms.budget = TransferBudget(hoursPerMonth: hoursPerMonth)
        var wishes: [Recommendation.Target] = []
        if let error { wishes.append(.error(error)) }
        if let megabytesPerMonth { wishes.append(.megabytesPerMonth(megabytesPerMonth)) }
        do throws(ConfigurationError) {
            let meter = try WireMeter(device: terms.device, batchSize: terms.batchSize)
            return Tuning(track, terms, meter: meter, wishes: wishes)
        } catch {
            throw ExitStatus.configuration.saying("\(error)")
        }
    }

    private func print(_ bytes: [UInt8]) throws {
        var output = CommandOutput()
        output.bytes = bytes
        do throws(CommandOutput.WriteError) {
            try output.flush()
        } catch {
            guard !error.isBrokenPipe else { return }  // the reader has closed the pipe
            throw ExitStatus.cannotCreate.saying("\(error)")
        }
    }

    /// The table, as wide as the terminal, or with the full width if the text goes into a file.
    private func table(_ tuning: Tuning) -> TuneTable {
        guard Terminal.output.isInteractive else { return TuneTable(tuning) }
        return TuneTable(tuning, width: Terminal.output.style(environment: ProcessEnvironment.current).columns)
    }

    private func write(_ page: [UInt8], to path: String) throws {
        do throws(FileProblem) {
            try AtomicFile.write(page, to: path)
        } catch {
            throw ExitStatus.cannotCreate.saying("\(error)")
        }
    }

    // MARK: Stops and trips

    private func tuneTrips(_ configuration: AgentConfiguration, _ input: inout InputFiles) throws {
        let tuning = TripTuning(recording: recording, configuration: configuration, labels: try readLabels())
        let trials: [TripTrial]
        do throws(ConfigurationError) { trials = try tuning.trials(from: &input) } catch {
            throw ExitStatus.configuration.saying("\(error)")
        }
        guard !trials.isEmpty else { throw input.hasFailed ? ExitStatus.noInput : ExitStatus.dataError }
        try print(json ? TripJSON(trials).bytes : Array(TripTable(trials).text.utf8))
        if let report { try write(TripReport(trials).bytes, to: report) }
    }

    private func readLabels() throws -> TripLabelList? {
        guard let labels else { return nil }
        let file: FileContent
        do throws(FileContent.Failure) {
            file = try FileContent.read(labels, limit: TripLabelList.largestFile, [.followsLinks, .takesPipes])
        } catch {
            throw ExitStatus.noInput.saying("\(labels): expected \(error.expectation)")
        }
        do throws(TripLabelError) {
            return try TripLabelList(file.bytes)
        } catch {
            throw ExitStatus.dataError.saying("\(labels): \(error)")
        }
    }
}
