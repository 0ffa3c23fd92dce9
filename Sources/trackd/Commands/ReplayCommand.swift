import ArgumentParser
import TrackEngine
import TrackEngineReplay

/// `trackd replay FILE… [--config FILE] [--set key=value] [--format F] [--decisions]`
struct ReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Take recorded files through the pipeline and write the records as JSON lines.",
        discussion: """
            The files are one track, in the order given; gzip is unpacked. Each record is a JSON object on a line of \
            standard output; problems with their line, a progress bar and a summary go to standard error. The same \
            input and configuration give the same bytes: time is that of the fixes. Only fixes dated more than a day \
            after now have their GPS week put right; --now says when now is.

            The exit status is 66 if a file cannot be read, 78 for a configuration that cannot be used, else 0.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Argument(help: "The recorded files.")
    var files: [String]

    @Option(
        help: "nmea, gpx, gpsd, geojson (or overland), calmgeo (or ndjson) or csv; by default found out.",
        transform: CommandArgument.replayFormat)
    var format: ReplayFormat?

    @Flag(help: "Write rejected fixes too, each with its reason.")
    var decisions = false

    @Option(
        help: ArgumentHelp(
            "The moment after which a date counts as wrong; by default the machine's clock.", valueName: "time"),
        transform: CommandArgument.time)
    var now: Timestamp?

    /// On the main actor, since reading and writing block and must not hold a thread of the cooperative pool.
    @MainActor func run() async throws {
        let configuration = try options.load()
        BufferedOutput.ignoreBrokenPipes()
        var replay = Replay(
            ReplayRun(
                configuration.tracking, device: DeviceID(rawValue: configuration.device.id ?? "track"),
                showsRejections: decisions, wallClock: now ?? .now()),
            options: ReplayOptions(format: format), environment: ProcessEnvironment.current)
        do throws(BufferedOutput.WriteError) {
            for file in files { try replay.play(file) }
            try replay.finish()
        } catch {
            guard error.isBrokenPipe else {
                StandardError.write("\(error)\n")
                throw ExitStatus.cannotCreate
            }
            return  // the reader has seen enough
        }
        if replay.hasFailed { throw ExitStatus.noInput }
    }

    /// The run with what it reads and writes.
    private struct Replay: ~Copyable {
        private var run: ReplayRun
        private let options: ReplayOptions
        private var output = BufferedOutput()
        private var bar: ProgressBar?
        private(set) var hasFailed = false

        init(_ run: ReplayRun, options: ReplayOptions, environment: [String: String]) {
            self.run = run
            self.options = options
            bar = ProgressBar(environment: environment)
        }

        mutating func play(_ path: String) throws(BufferedOutput.WriteError) {
            var problems = ProblemList(file: path)
            let options = options
            guard let file = attempt({ () throws(ReplayError) in try ReplayFile(path: path, options: options) }) else {
                return
            }
            while let chunk = attempt({ () throws(ReplayError) in try file.next() }) ?? nil {
                for problem in chunk.problems { say(problems.note(problem)) }
                for fix in chunk.fixes { run.process(fix, to: &output.bytes) }
                bar?.show(path, read: chunk.bytesRead, of: chunk.totalBytes)
                try output.flushIfFull()
            }
            say(problems.rest)
        }

        /// What `body` answers; `nil` if the file is of no use, which is said.
        private mutating func attempt<Result>(_ body: () throws(ReplayError) -> Result) -> Result? {
            do throws(ReplayError) {
                return try body()
            } catch {
                hasFailed = true
                say("\(error)")
                return nil
            }
        }

        mutating func finish() throws(BufferedOutput.WriteError) {
            run.finish(to: &output.bytes)
            try output.flush()
            say(run.statistics.summary)
        }

        private mutating func say(_ line: String?) {
            guard let line else { return }
            bar?.clear()
            StandardError.write(line + "\n")
        }
    }
}
