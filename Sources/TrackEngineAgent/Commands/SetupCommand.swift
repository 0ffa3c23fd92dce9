import ArgumentParser
import TrackEngine
import TrackEngineSettings

/// `trackd setup 'overland://setup?url=…&token=…&device_id=…' [--config FILE] [--sink NAME] [--allow-insecure]`
struct SetupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup",
        abstract: "Write a receiver's setup link into the configuration.",
        discussion: """
            Settings that the link does not mention stay unchanged; a link to another receiver (scheme, host or port) \
            removes the token, the headers and other credentials that were for the one before, and names those in the \
            environment, which it cannot remove. The token goes into a file of its own next to the configuration, mode \
            0600. Where there are several sinks of the link's type, --sink names the one that is meant; a new name adds a \
            sink. With - as link, it is read from standard input, where other users of this machine cannot see it.
            """)

    @Argument(help: "The link overland://setup?…, or - for standard input.")
    var link: String

    @Option(help: ArgumentHelp("The configuration file to write.", valueName: "file"))
    var config = "\(Agent.current.name).yaml"

    @Option(
        help: ArgumentHelp("The sink that the link is for; by default the only one of its type.", valueName: "name"))
    var sink: String?

    @Flag(help: "Take an http address of another machine, this once: everyone on the way can read positions and token.")
    var allowInsecure = false

    /// Checks the link of the command line. A link on standard input is read only once, in ``run()``.
    func validate() throws {
        if link != "-" { _ = try parsed(link) }
    }

    func run() async throws {
        let (link, type) = link == "-" ? try parsedInput() : try parsed(link)
        let path = absolutePath
        let old = try existingFile(path)
        let (plan, cautions) = try ExitStatus.reportingConfigurationProblems { () throws(AgentConfigurationError) in
            let plan = try SetupPlan(link: link, type: type, existing: old?.bytes ?? [], path: path, choices)
            return (plan, try plan.check(path: path, isPrivate: old?.status.isPrivate ?? true))
        }
        do throws(FileProblem) {
            try plan.write(path: path, replacing: old)
        } catch {
            throw ExitStatus.cannotCreate.saying("\(error)")
        }
        report(plan, link, path, old)
        for caution in cautions { ErrorOutput.write("note: \(caution)\n") }
    }

    private var choices: SetupPlan.Options {
        var choices = SetupPlan.Options()
        choices.sink = sink
        choices.allowsInsecure = allowInsecure
        choices.environment = ProcessEnvironment.current
        choices.isTaken = { FileStatus.following($0) != nil }
        return choices
    }

    private func parsed(_ text: String) throws -> (link: SetupLink, type: String) {
        do throws(SetupLink.Malformed) {
            return try Agent.current.plugins.setupLink(text)
        } catch {
            throw ValidationError("\(error)")
        }
    }

    /// The link on standard input. An error is no usage error, because the command was used correctly.
    private func parsedInput() throws -> (link: SetupLink, type: String) {
        do throws(SetupLink.Malformed) {
            guard let line = readLine()?.trimmed, !line.isEmpty else {
                let links = Agent.current.plugins.setupPrefixes.map { "\($0)?…" }.inWords
                throw SetupLink.Malformed("expected a line with a link \(links), found none")
            }
            return try Agent.current.plugins.setupLink(line)
        } catch {
            throw ExitStatus.dataError.saying("standard input: \(error)")
        }
    }

    /// The configuration's path, with symbolic links resolved.
    private var absolutePath: String {
        if let real = config.realPath { return real }
        guard !config.hasPrefix("/"), let directory = ".".realPath else { return config }
        return directory + "/" + config
    }

    private func existingFile(_ path: String) throws -> FileContent? {
        do throws(FileContent.Failure) {
            return try FileContent.read(path, limit: YAMLReader.maximumBytes)
        } catch .missing {
            return nil
        } catch {
            throw ExitStatus.configuration.saying("\(path): expected \(error.expectation)")
        }
    }

    private func report(_ plan: SetupPlan, _ link: SetupLink, _ path: String, _ old: FileContent?) {
        print("wrote \(path)" + (plan.sink.map { ", sink \($0)" } ?? ""))
        if let change = plan.change { print(change) }
        for secret in plan.secrets { print("wrote \(secret.path) (mode 0600)") }
        if let old, !plan.keepsText {
            let loss = old.hasComments ? "comments could not be kept" : "the file was written anew"
            print("\(loss); the old text is in \(path).bak")
        }
        if !link.ignored.isEmpty { print("ignored: \(link.ignored.joined(separator: ", "))") }
    }
}

extension String {
    /// The text without surrounding spaces, which a terminal or an editor adds to pasted text.
    fileprivate var trimmed: String {
        guard let last = lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(self[...last].drop(while: \.isWhitespace))
    }
}

extension FileContent {
    /// Whether there is a comment in YAML's sense, as far as the bytes show: a # that begins a word.
    fileprivate var hasComments: Bool {
        var previous = UInt8(ascii: "\n")
        for byte in bytes {
            if byte == UInt8(ascii: "#"), [0x09, 0x0a, 0x0d, 0x20].contains(previous) { return true }
            previous = byte
        }
        return false
    }
}
