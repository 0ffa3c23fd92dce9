/// A tracking program: `trackd`, or your own with more sources and sinks.
///
/// ```swift
/// @main
/// struct CANTracker {
///     static func main() async {
///         await Agent(name: "can-tracker", plugins: .standard + [CANSource.plugin]).main()
///     }
/// }
/// ```
///
/// The program has the commands of `trackd`: `run`, `check`, `status`, `tune` and the others. Its environment
/// variables begin with its name in capitals (`CAN_TRACKER_CONFIG`), and its state, socket and log have the name.
public struct Agent: Sendable {
    /// The program's name: 1 to 32 letters, digits and dashes.
    public let name: String
    /// The version that `--version` prints and servers receive.
    public let version: String
    /// The origin of the program, such as a commit, which `--version` prints after the version; empty for none.
    public let build: String
    /// The sources and sinks that a configuration can name.
    public let plugins: AgentPlugins

    /// Makes a program.
    public init(name: String, version: String = Agent.engineVersion, build: String = "", plugins: AgentPlugins) {
        self.name = name
        self.version = version
        self.build = build
        self.plugins = plugins
    }

    /// The version of the engine and of `trackd`: that of the file `VERSION`.
    public static let engineVersion = "0.9.0"

    /// Runs the command that the process's arguments name; may end the process.
    public func main() async {
        await Self.$current.withValue(self) { await AgentCommand.runFromArguments() }
    }

    /// The program that runs in this task. The argument parser makes the commands without it.
    @TaskLocal package static var current = Agent(name: "trackd", plugins: .standard)

    /// The output of `--version`: `trackd 0.9.0 (commit 0123456789ab of 2026-03-01, release build)`.
    package var versionLine: String { "\(name) \(version)" + (build.isEmpty ? "" : " (\(build))") }

    /// The prefix of environment variables.
    package var variablePrefix: String {
        String(name.uppercased().map { $0.isLetter || $0.isNumber ? $0 : "_" }) + "_"
    }
}
