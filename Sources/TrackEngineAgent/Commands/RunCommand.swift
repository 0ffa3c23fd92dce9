import ArgumentParser
import Glibc
import Logging
import ServiceLifecycle
import TrackEngine
import TrackEngineIntegrations
import TrackEngineSettings

/// `trackd run [--config FILE] [--set key=value] [--plain]`
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Track until SIGTERM or SIGINT.",
        discussion: """
            Without a configuration, fixes come from gpsd if one answers on localhost:2947, else from a simulated \
            vehicle, records stay in the local store, and a page on 127.0.0.1:8080 shows them. The simulated vehicle \
            drives between three named places and stops at each, so that the page soon shows trips and visits. On a \
            terminal the status is redrawn in place; elsewhere, and on a terminal of TERM=dumb, each change of state is \
            a line. With log.format json every line is a JSON object: \
            changes of state on standard output, messages on standard error.

            SIGTERM and SIGINT end gracefully: sources first, then a last sync, then the store; a second one ends at \
            once. An agent that has started ends after at most tracking.flushTimeout and 15 seconds. \
            SIGHUP reads the configuration and the secrets again; on a terminal it ends the agent, as closing the \
            terminal does. An agent that writes into a pipe ends when the reader closes the pipe, unless systemd \
            runs it.

            A recorded file is not repeated: the next run goes on after its last record, if fixes are left. \
            Another recording replayed in between makes the first begin again; the records have the same ids. A list of \
            files is one recording in its order: those before the file of the last record are passed over, with a warning.

            The exit status is 0 after a graceful end, 78 for a configuration that cannot be used or a store that its key \
            does not open, 75 if another agent has the store or the control socket, else 1.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Write lines instead of redrawing the status, on a terminal too.")
    var plain = false

    @Flag(help: "Replay recorded files from their start, though the store has them already.")
    var again = false

    @Flag(help: "Open the page in the browser, once it is there.")
    var open = false

    func run() async throws {
        let environment = ProcessEnvironment.current
        var format = LogSettings.Format.text
        do throws(AgentStartError) {
            var loader = options.loader
            let configuration = try await configuration(&loader)
            format = configuration.log.format
            let platform = try await SystemServices(configuration, environment: environment, isPlain: plain)
            try await AgentProcess(configuration, loader: loader, platform: platform, opensPage: open).run()
        } catch {
            if case .configuration(let error) = error { format = error.logFormat ?? format }
            let isJournal = Terminal.error.isJournal(environment: environment)
            for line in error.lines(ScreenLogHandler.Format(format, isJournal: isJournal)) {
                ErrorOutput.write(line + "\n")
            }
            throw error.exitStatus
        }
    }

    /// Loads the configuration; without one, and without a receiver, that of the demonstration.
    private func configuration(
        _ loader: inout ConfigurationReader
    ) async throws(AgentStartError) -> AgentConfiguration {
        do throws(AgentConfigurationError) {
            var configuration = try loader.loadForRun()
            if loader.file == nil, configuration.sources == .automatic {
                loader.demonstration = await SourceChoice(automatic: Agent.current.plugins.sources).demonstration
                configuration = try loader.loadForRun()
            }
            if again { configuration.sources.startRecordingsOver() }
            return configuration
        } catch {
            throw .configuration(error)
        }
    }
}

extension AgentStartError {
    var exitStatus: ExitCode {
        switch self {
        case .configuration, .unusable: ExitStatus.configuration
        case .taken: ExitStatus.temporaryFailure
        case .failed: .failure
        }
    }
}

extension StoreError {
    /// The exit status after a store's error, for any command that opens a store.
    var exitStatus: ExitCode { AgentStartError(store: self).exitStatus }
}
