import Glibc
import Logging
import NIOCore
import TrackEngine

/// The operating system services of a running agent: signals, an event loop, a screen, systemd and the log.
struct SystemServices: Sendable {
    let environment: [String: String]
    /// One thread, for the control socket and the signals.
    let eventLoop: any EventLoopGroup
    let signals: ProcessSignalSequence
    let display: MonitorService.Output
    let notifier: SystemdReporter
    let level: LogLevel
    let logger: Logger

    /// Takes over signals and the log, for the rest of the process's life.
    init(
        _ configuration: AgentConfiguration, environment: [String: String], isPlain: Bool
    ) async throws(AgentStartError) {
        do throws(SystemError) {
            eventLoop = try EventLoopThread.start()
            signals = try await ProcessSignalSequence(
                on: eventLoop, hangup: Terminal.output.isInteractive ? .end : .reload)
        } catch {
            throw .failed(error.description)
        }
        self.environment = environment
        let format = ScreenLogHandler.Format(
            configuration.log.format, isJournal: Terminal.error.isJournal(environment: environment))
        let isLive = Terminal.output.canMoveCursor(environment: environment) && !isPlain && format == .text
        let note: @Sendable (Int) -> String = { ScreenLogHandler.lossNote($0, format) }
        let output = Screen(note: note) { Terminal.output.write($0) }
        notifier = SystemdReporter(environment: environment)
        let level = LogLevel(configuration.log.level)
        self.level = level
        // On a terminal that shows the status, messages scroll above it.
        let log = isLive ? output : Screen(note: note) { Terminal.error.write($0) }
        LoggingSystem.bootstrap { _ in ScreenLogHandler(log, level: level, format: format) }
        logger = Logger(label: Agent.current.name)
        display =
            switch format {
            case .text where isLive: .live(output, style: { Terminal.output.style(environment: environment) })
            case .text: .lines(output)
            case .journal, .json:
                .log(
                    Logger(
                        label: Agent.current.name,
                        factory: { _ in ScreenLogHandler(output, level: level, format: format) }))
            }
    }

    /// Requests the agent's end when standard output is a pipe without a reader, as in `trackd run | head`. Under
    /// systemd the agent continues: the journal may be restarted.
    func endWhenOutputCloses() {
        guard Terminal.output.isPipe, environment["NOTIFY_SOCKET"] == nil,
            !Terminal.error.isJournal(environment: environment)
        else { return }
        let copy = dup(Terminal.output.descriptor)
        guard copy >= 0 else { return }
        ProcessSignalSequence.end(whenClosed: Descriptor(owning: copy))
    }
}
