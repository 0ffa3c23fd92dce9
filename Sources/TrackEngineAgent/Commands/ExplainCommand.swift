import ArgumentParser
import TrackEngine
import TrackEngineSettings

/// `trackd explain [KEY…] [--format text|markdown|man|man1]`
struct ExplainCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "explain",
            abstract: "Explain keys of the configuration: meaning, possible values and default.",
            discussion: """
                A key may be given in full (sinks.overland.url), as messages name it (sinks.home.url), as a section \
                (tracking), by its end (url) or by a type (overland). Without one all keys are listed. The exit status is 64 for an unknown key.
                """)
    }

    /// The format of the reference.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text, markdown, man, man1
    }

    @Argument(help: ArgumentHelp("The keys to explain.", valueName: "key"))
    var keys: [String] = []

    @Option(help: "text, or the whole reference as markdown or as a manual page (man), or the commands as one (man1).")
    var format = Format.text

    func validate() throws {
        if format != .text, !keys.isEmpty { throw ValidationError("expected no keys with --format \(format.rawValue)") }
    }

    func run() throws {
        let program = Agent.current
        switch format {
        case .text:
            let state = StateDirectory.standard(program.name, environment: ProcessEnvironment.current)
            print(try text(ConfigurationReference(program: program, stateDirectory: state)), terminator: "")
        case .markdown: print(ConfigurationReference.packaged(program).markdown, terminator: "")
        case .man: print(ConfigurationReference.packaged(program).manualPage, terminator: "")
        case .man1: print(try CommandReference(program).page, terminator: "")
        }
    }

    private func text(_ reference: ConfigurationReference) throws -> String {
        guard !keys.isEmpty else { return reference.overview }
        let found = keys.map { (word: $0, keys: reference.keys(matching: $0)) }
        for unknown in found where unknown.keys.isEmpty {
            let hint = reference.suggestion(for: unknown.word).map { "; did you mean \($0)?" } ?? ""
            ErrorOutput.write("\(unknown.word.quoted(atMost: 80)): expected a key of the configuration\(hint)\n")
        }
        guard found.allSatisfy({ !$0.keys.isEmpty }) else { throw ExitStatus.usage }
        return ConfigurationReference.text(of: found.flatMap(\.keys))
    }
}

extension ConfigurationReference {
    /// The reference as it is packaged: with the state directory that systemd uses, regardless of the current user.
    package static func packaged(_ program: Agent) -> ConfigurationReference {
        ConfigurationReference(program: program, stateDirectory: "/var/lib/\(program.name)")
    }
}
