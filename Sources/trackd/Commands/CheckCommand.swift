import ArgumentParser

/// `trackd check --config FILE [--set key=value] [--show]`
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Report everything that is wrong with a configuration.",
        discussion: """
            Each problem is a line "place: key = value: expected …" on standard error. The exit status is 0 for a \
            configuration that can be used and 78 for any other. Secrets are fetched but never shown.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Print the effective configuration as YAML, with secrets masked.")
    var show = false

    func run() async throws {
        let loader = options.loader
        let configuration = try options.load()
        if show { print(configuration.effectiveYAML, terminator: "") }
        try ExitStatus.reportingConfigurationProblems { () throws(AgentConfigurationError) in
            try loader.checkSecrets(of: configuration)
        }
        for sink in configuration.sinks {
            for caution in sink.kind.cautions { StandardError.write("note: sink \(sink.name): \(caution)\n") }
        }
    }
}
