import ArgumentParser
import Glibc
import TrackEngine
import TrackEnginePlaces
import TrackEngineSettings

/// `trackd replay FILE… [--config FILE] [--set key=value] [--format F] [--date DAY] [--decisions] [--map [--open]]
/// [--events [--json]]`
struct ReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Take recorded files through the pipeline and write the records as JSON lines.",
        discussion: """
            The files are one track, in the order given; gzip and zip are unpacked, and - is standard input. Each record is a JSON object on a line of \
            standard output; problems with their line, a progress bar and a summary go to standard error. The same \
            input and configuration give the same bytes: time is that of the fixes. Only fixes dated more than a day \
            after now have their GPS week corrected; --now sets the present time. The tracks within a GPX file come in the order in \
            which they began.

            With --events the places entered and left, visits, trips and heartbeats that the section events of the \
            configuration finds are written instead, a line of text each, or a JSON object with --json. They are those that \
            the agent finds in the same recording.

            Positions that events.places hide are hidden here, too: a fix in a place with privacy: cut is counted and \
            written nowhere, and so is one in a place with tracking: off. Other profiles have no effect: time, battery, \
            trip and place choose them while an agent runs.

            With --map no records are written: a page on this machine shows the records and the rejected fixes with their \
            reasons, under an address that is printed, until SIGINT, SIGTERM or SIGHUP.

            The exit status is 65 if there was no fix with a position to be read, 66 if a file cannot be read, 78 for a configuration that \
            cannot be used, else 0.
            """)

    @OptionGroup var options: ConfigurationOptions

    @OptionGroup var recording: RecordingOptions

    @Flag(help: "Write rejected fixes too, each with its reason.")
    var decisions = false

    @Flag(help: "Show records and rejected fixes on a page instead of writing them.")
    var map = false

    @Flag(help: "With --map, open the page in the browser.")
    var open = false

    @Flag(help: "Write the events that are found instead of records.")
    var events = false

    @Flag(help: "With --events, write each as a JSON object.")
    var json = false

    func validate() throws {
        if json, !events { throw ValidationError("--json: expected --events, too") }
        if events, map || decisions {
            throw ValidationError("--events: expected neither --map nor --decisions")
        }
        if open, !map { throw ValidationError("--open: expected --map, too") }
    }

    /// On the main actor, because reading and writing block and must not occupy a thread of the cooperative pool.
    @MainActor func run() async throws {
        let configuration = try options.load()
        CommandOutput.ignoreBrokenPipes()
        var input = InputFiles(recording.replayOptions, environment: ProcessEnvironment.current)
        let device = DeviceID(rawValue: configuration.device.id ?? "track")
        let settings = configuration.events.asReplayed
        let (zones, detector) = try ExitStatus.reportingConfigurationProblems { () throws(AgentConfigurationError) in
            do throws(ConfigurationError) {
                return (
                    try settings.privacyZones, events ? try settings.makeDetector(of: device) : nil
                )
            } catch {
                throw AgentConfigurationError(error, configuration.places)
            }
        }
        if events {
            guard let detector else {
                throw ExitStatus.configuration.saying("--events: expected events to look for in the section events")
            }
            return try findEvents(
                EventRun(
                    configuration.tracking, detector, device: device, wallClock: recording.wallClock,
                    privacyFilter: zones),
                in: &input)
        }
        let page = map ? ReplayMap(device: device) : nil
        var replay = ReplayRun(
            configuration.tracking, device: device, showsRejections: decisions || map, wallClock: recording.wallClock,
            privacyFilter: zones, observe: page?.observer)
        do throws(CommandOutput.WriteError) {
            try play(&replay, from: &input)
        } catch {
            guard error.isBrokenPipe else {
                throw ExitStatus.cannotCreate.saying("\(error)")
            }
            return  // the reader has closed the pipe
        }
        if let page, replay.statistics.hasPosition { try await show(page) }
        if input.hasFailed { throw ExitStatus.noInput }
        if !replay.statistics.hasPosition { throw ExitStatus.dataError }
    }

    private func play(
        _ replay: inout ReplayRun, from input: inout InputFiles
    ) throws(CommandOutput.WriteError) {
        var output = CommandOutput()
        for file in recording.files {
            try input.read(file) { (fixes: [Fix]) throws(CommandOutput.WriteError) in
                for fix in fixes { replay.process(fix, to: &output.bytes) }
                if map { output.bytes.removeAll(keepingCapacity: true) }
                try output.flushIfFull()
            }
        }
        replay.finish(to: &output.bytes)
        if map { output.bytes.removeAll() }
        try output.flush()
        if replay.statistics.fixes > 0 {
            input.say(replay.statistics.summary)
            if !replay.statistics.hasPosition { input.say("expected at least one fix with a position, found none") }
        } else if !input.hasFailed {
            input.say("expected at least one fix, found none")
        }
        input.finish()
    }

    private func show(_ page: ReplayMap) async throws {
        if page.isCut {
            ErrorOutput.write(
                "showing the first \(ReplayMap.mostRecords) records and \(ReplayMap.mostRejections) rejected fixes\n")
        }
        let opens = open
        do {
            try await page.run { address in
                print("look at \(address.revealed) and end with Ctrl-C")
                fflush(nil)  // also into a pipe, because the command continues
                if opens, let problem = UserBrowser.open(address) { ErrorOutput.write("--open: \(problem)\n") }
            }
        } catch {
            throw ExitStatus.cannotCreate.saying("cannot show the page: \(error)")
        }
    }
}

// MARK: - Events

extension ReplayCommand {
    private func findEvents(_ start: EventRun, in input: inout InputFiles) throws {
        var run = start
        do throws(CommandOutput.WriteError) {
            var output = CommandOutput()
            for file in recording.files {
                try input.read(file) { (fixes: [Fix]) throws(CommandOutput.WriteError) in
                    for fix in fixes { run.process(fix) { write($0, to: &output.bytes) } }
                    try output.flushIfFull()
                }
            }
            run.end { write($0, to: &output.bytes) }
            try output.flush()
        } catch {
            guard error.isBrokenPipe else {
                throw ExitStatus.cannotCreate.saying("\(error)")
            }
            return  // the reader has closed the pipe
        }
        input.say(run.summary)
        input.finish()
        if input.hasFailed { throw ExitStatus.noInput }
        if run.fixes == 0 { throw ExitStatus.dataError }
    }

    private func write(_ event: RecordDraft, to bytes: inout [UInt8]) {
        guard json else { return bytes.append(contentsOf: (EventRun.line(event) + "\n").utf8) }
        var writer = JSONWriter()
        CalmGeoRecord.write(event, to: &writer)
        writer.raw("\n")
        bytes.append(contentsOf: writer.bytes)
    }
}
