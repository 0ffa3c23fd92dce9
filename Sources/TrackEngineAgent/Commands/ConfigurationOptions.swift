import ArgumentParser
import Glibc
import TrackEngine
import TrackEngineSettings

/// The options of every command that needs the configuration.
struct ConfigurationOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The configuration file, YAML or JSON.",
            discussion: """
                Without it \(Agent.current.variablePrefix)CONFIG names the file; without that the defaults hold.
                """, valueName: "file"))
    var config: String?

    @Option(
        name: .customLong("set"), parsing: .singleValue,
        help: ArgumentHelp(
            "A value above file and environment, such as tracking.distanceFilter=50. May be repeated.",
            valueName: "key=value"))
    var set: [String] = []

    var loader: ConfigurationReader {
        ConfigurationReader(file: config, options: set, environment: ProcessEnvironment.current)
    }

    /// The configuration; every problem goes to standard error and ends the command with status 78.
    func load() throws -> AgentConfiguration {
        try ExitStatus.reportingConfigurationProblems { () throws(AgentConfigurationError) in try loader.load() }
    }

    /// The configuration as `run` uses it; problems as for ``load()``.
    func loadForRun() throws -> AgentConfiguration {
        try ExitStatus.reportingConfigurationProblems { () throws(AgentConfigurationError) in try loader.loadForRun() }
    }
}

/// The exit statuses of sysexits.h that commands use, with the reasons.
enum ExitStatus {
    /// `EX_CONFIG`: the configuration cannot be used. systemd must not restart the agent before it has changed.
    static let configuration = ExitCode(78)
    /// `EX_USAGE`: the command line is not valid.
    static let usage = ExitCode(64)
    /// `EX_DATAERR`: a file was read and contains no data that the command could use.
    static let dataError = ExitCode(65)
    /// `EX_NOINPUT`: a file that should be read is missing or unreadable.
    static let noInput = ExitCode(66)
    /// `EX_UNAVAILABLE`: no agent runs.
    static let unavailable = ExitCode(69)
    /// `EX_CANTCREAT`: a file cannot be written.
    static let cannotCreate = ExitCode(73)
    /// `EX_TEMPFAIL`: another process has the store or the control socket.
    static let temporaryFailure = ExitCode(75)
    /// `EX_NOPERM`: the agent belongs to another user.
    static let noPermission = ExitCode(77)

    /// The meaning of each status, for the manual page.
    static let meanings: [(code: ExitCode, meaning: String)] = [
        (usage, "The command line makes no sense."),
        (dataError, "A file was read and has no usable content."),
        (noInput, "A file that should be read is missing or unreadable."),
        (unavailable, "No agent runs."),
        (cannotCreate, "A file cannot be written."),
        (temporaryFailure, "Another process has the store or the control socket."),
        (noPermission, "The agent belongs to another user."),
        (configuration, "The configuration cannot be used."),
    ]

    /// Runs `body`, prints configuration problems on standard error, one per line, and ends with ``configuration``.
    static func reportingConfigurationProblems<Result>(
        _ body: () throws(AgentConfigurationError) -> Result
    ) throws -> Result {
        do throws(AgentConfigurationError) {
            return try body()
        } catch {
            ErrorOutput.write("\(error)\n")
            throw configuration
        }
    }
}

/// The standard error stream.
enum ErrorOutput {
    static func write(_ text: String) {
        // The descriptor, because the C variable `stderr` is shared mutable state; a lost message cannot be reported.
        _ = Array(text.utf8).withUnsafeBytes { Descriptor.write($0, to: STDERR_FILENO) }
    }
}

extension ExitCode {
    /// Writes a line on standard error, and returns the status to throw.
    func saying(_ line: String) -> ExitCode {
        ErrorOutput.write(line + "\n")
        return self
    }
}
