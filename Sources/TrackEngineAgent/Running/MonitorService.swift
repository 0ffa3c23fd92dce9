import Logging
import ServiceLifecycle
import TrackEngine
import TrackEngineSettings

/// Watches the agent about once a second, for the terminal or the log and for systemd, and runs the tasks of its
/// battery and wifi gauges, its pauses, places and profiles.
struct MonitorService: Service {
    /// The destination of the status.
    enum Output: Sendable {
        /// Redrawn in place.
        case live(Screen, style: @Sendable () -> StatusStyle)
        /// A line for each change, for users.
        case lines(Screen)
        /// A message for each change, for programs.
        case log(Logger)
    }

    let agent: AgentRuntime
    let display: Output
    let notifier: SystemdReporter
    /// Whether to open the agent's page in the browser.
    let opensPage: Bool

    private static let interval = Duration.seconds(1)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await agent.battery.run() }
                group.addTask { await agent.wifi.run() }
                group.addTask { await agent.pauses.run() }
                group.addTask { await PlaceSync(agent).run() }
                group.addTask { await agent.profiles.run() }
                group.addTask { await releaseStartupPages() }
                group.addTask { await watch() }
            }
        }
        if case .live(let screen, let style) = display {
            screen.show(StatusText.lines(await agent.status(), style()))
            screen.release()
        }
    }

    private func watch() async {
        var changes = StatusChangeText()
        await waitUntilRunning()
        notifier.send(.ready)
        var shownPages: Set<String> = []
        var watchdog = ActionSchedule(every: notifier.watchdogInterval)
        while !Task.isCancelled {
            // The status passes through the tracker, its deliveries and the store: if one of them hangs, so does the
            // watchdog.
            let status = await agent.status()
            show(status, changes.changes(for: status))
            // An address that does not respond, or that belongs to another program on the port, must not be shown.
            for page in agent.pages(status, beside: shownPages) {
                shownPages.insert(page.sink)
                show(page.address, page.registry)
            }
            if watchdog.isDue() { notifier.send(.watchdog) }
            let pause = min(Self.interval, notifier.watchdogInterval ?? Self.interval)
            do { try await Task.sleep(for: pause, tolerance: pause / 10) } catch { return }
        }
    }

    /// Waits until the tracker has started its sources and sinks. It starts concurrently and needs milliseconds.
    private func waitUntilRunning() async {
        while await !agent.isReady() {
            do { try await Task.sleep(for: .milliseconds(20)) } catch { return }
        }
    }

    /// Releases the pages of the startup code, once, after everything has run at least once.
    private func releaseStartupPages() async {
        do { try await Task.sleep(for: .seconds(10), tolerance: .seconds(1)) } catch { return }
        StartCodePages.release()
    }

    private func show(_ address: String, _ registry: any ViewerRegistry) {
        /// A one-time link; `nil` if the registry cannot be written, which the server reports.
        func link() -> Secret? { try? registry.link(of: nil, mayEdit: false, listening: address) }
        switch display {
        case .live(let screen, _), .lines(let screen):
            // A link contains a key: it is printed on a terminal only, never into a file or a pipe.
            if Terminal.output.isInteractive, let link = link() {
                screen.print("look at \(link.revealed)")
            } else {
                screen.print("the page is at \(address); \(Agent.current.name) device link prints a link to it")
            }
        case .log: break
        }
        guard opensPage, let link = link(), let problem = UserBrowser.open(link) else { return }
        switch display {
        case .live(let screen, _), .lines(let screen): screen.print("--open: \(problem)")
        case .log(let logger): logger.warning("page not opened", metadata: ["reason": "\(problem)"])
        }
    }

    private func show(_ status: AgentStatus, _ changes: [StateChange]) {
        if !changes.isEmpty { notifier.send(.status(status.summary)) }
        switch display {
        case .live(let screen, let style): screen.show(StatusText.lines(status, style()))
        case .lines, .log: for change in changes { display.say(change) }
        }
    }
}

extension MonitorService.Output {
    /// Prints or logs a summary of the assembled agent.
    func introduce(_ agent: AgentRuntime) {
        switch self {
        case .live(let screen, _), .lines(let screen):
            screen.print(agent.introduction)
        case .log(let logger): logger.notice("agent started", metadata: ["does": "\(agent.introduction)"])
        }
    }

    fileprivate func say(_ change: StateChange) {
        switch self {
        case .live: break  // the frame shows it
        case .lines(let screen): screen.print(change.isTrouble ? "\(change.level): \(change.line)" : change.line)
        case .log(let logger): logger.log(level: change.level, "\(change.subject) changed", metadata: change.metadata)
        }
    }
}

/// An action that is due at an interval, or never.
private struct ActionSchedule {
    private let interval: Duration?
    private var next = ContinuousClock.now

    init(every interval: Duration?) { self.interval = interval }

    /// Returns whether the action is due, with a tolerance for the loop that calls it.
    mutating func isDue() -> Bool {
        guard let interval, ContinuousClock.now >= next else { return false }
        next = ContinuousClock.now.advanced(by: interval * 0.8)
        return true
    }
}

extension AgentStatus {
    /// One line for `systemctl status`, without a position.
    var summary: String {
        let sources = tracker.sources.prefix(4).map { "\($0.id) \($0.status.word)" }
        let sinks = tracker.sinks.prefix(4).map { "\($0.id) \($0.sync.activity.word)" }
        let state = tracker.pause?.description ?? tracker.state.word
        return "\(state): " + (sources + sinks).joined(separator: ", ")
    }
}
