import Logging

/// What a running agent has of the operating system: signals, a poller, a screen, systemd and the log.
struct Platform: Sendable {
    let environment: [String: String]
    let poller: DescriptorPoller
    let signals: ProcessSignals
    let display: MonitorService.Display
    let screen: Screen
    let notifier: SystemdNotifier
    let level: LogLevel
    let logger: Logger

    /// Takes signals and log over, for the rest of the process's life.
    init(
        _ configuration: AgentConfiguration, environment: [String: String], isPlain: Bool
    ) throws(AgentStartError) {
        do throws(SystemError) {
            poller = try DescriptorPoller()
            signals = try ProcessSignals(poller: poller)
        } catch {
            throw .failed(error.description)
        }
        self.environment = environment
        let isLive = Terminal.output.isInteractive && !isPlain
        let output = Screen { Terminal.output.write($0) }
        screen = output
        display =
            isLive
            ? .live(output, style: { Terminal.output.style(environment: environment) }) : .lines(output)
        notifier = SystemdNotifier(environment: environment)
        let level = LogLevel(configuration.log.level)
        self.level = level
        // On a terminal that shows the status, messages scroll above it.
        let log = isLive ? output : Screen { Terminal.error.write($0) }
        let format = Self.format(configuration.log.format, environment)
        LoggingSystem.bootstrap { _ in ScreenLogHandler(log, level: level, format: format) }
        logger = Logger(label: "trackd")
    }

    private static func format(
        _ format: LogSettings.Format, _ environment: [String: String]
    ) -> ScreenLogHandler.Format {
        switch format {
        case .json: .json
        case .text: environment["JOURNAL_STREAM"] == nil ? .text : .journal
        }
    }
}
