import ArgumentParser
import TrackEngineSettings

/// `trackd check --config FILE [--set key=value] [--show]`
struct CheckCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "check",
            abstract: "Report everything that is wrong with a configuration.",
            discussion: """
                Each problem is a line "place: key = value: expected …" on standard error. The exit status is 0 for a \
                configuration that can be used and 78 for any other. Everything is put together as for `\(Agent.current.name) run`: files \
                and secrets that the configuration names are read, and secrets are never shown. If there is a store, the \
                command checks that it opens with the key that the configuration names, also while an agent runs on it, and \
                reads the files of added places and of corrections. \
                No file is written and no record is sent. \
                For a sink with requests that the configuration describes, the request for a sample record is printed, each \
                line behind "#".
                """)
    }

    @OptionGroup var options: ConfigurationOptions

    @Flag(
        help:
            "Print the effective configuration as YAML, with secrets masked; a comment marks remote settings."
    )
    var show = false

    func run() async throws {
        let configuration = try options.loadForRun()
        if show { print(configuration.markedYAML, terminator: "") }
        for remark in configuration.remote.remarks { ErrorOutput.write("note: remote settings: \(remark)\n") }
        let trial = ConfigurationTrial(configuration, environment: ProcessEnvironment.current, looksAtStore: true)
        do throws(AgentConfigurationError) {
            for caution in try await trial.run() { ErrorOutput.write("note: \(caution.line)\n") }
            for remark in filesBesideTheStore(configuration) { ErrorOutput.write("note: store: \(remark)\n") }
            let device = DeviceIdentity.present(configuration)
            for sink in configuration.sinks {
                guard let sample = sink.sample(device: device) else { continue }
                print("# sink \(sink.name), for a sample record:")
                for line in sample.split(separator: "\n", omittingEmptySubsequences: false) { print("#   \(line)") }
            }
        } catch {
            throw ExitStatus.configuration.saying("\(error)")
        }
    }

    /// The problems of the files of added places and corrections. An agent runs without them, and does not change the
    /// files.
    private func filesBesideTheStore(_ configuration: AgentConfiguration) -> [String] {
        let reads: [() throws -> Void] = [
            { _ = try SavedPlaceFile(of: configuration).read() }, { _ = try CorrectionFile(of: configuration).read() },
        ]
        return reads.compactMap { read in
            do {
                try read()
                return nil
            } catch {
                return "\(error)"
            }
        }
    }
}
