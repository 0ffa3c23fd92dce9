import Logging
import ServiceLifecycle
import TrackEngine
import TrackEngineSettings

/// Watches the agent, about once a second: for the terminal or the log, for systemd, for the battery and the wireless network.
struct MonitorService: Service {
    /// Where the status goes.
    enum Display: Sendable {
        /// Redrawn in place.
        case live(Screen, style: @Sendable () -> StatusStyle)
        /// A line for each change, for people.
        case lines(Screen)
        /// A message for each change, for programs.
        case log(Logger)
    }

    let agent: AssembledAgent
    let display: Display
    let notifier: SystemdNotifier
    /// Whether the browser is to show the agent's page.
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
            screen.show(StatusView.lines(await agent.status(), style()))
            screen.release()
        }
    }

    private func watch() async {
        var changes = StateChanges()
        await waitUntilRunning()
        notifier.send(.ready)
        var shownPages: Set<String> = []
        var watchdog = Due(every: notifier.watchdogInterval)
        while !Task.isCancelled {
            // The status goes through tracker, drains and store: if one of them hangs, so does the watchdog.
            let status = await agent.status()
            show(status, changes.changes(for: status))
            // An address that leads nowhere, or to the program that has the port, must not be told.
            for page in agent.pages(status, beside: shownPages) {
                shownPages.insert(page.sink)
                show(page.address, page.registry)
            }
            if watchdog.isDue() { notifier.send(.watchdog) }
            let pause = min(Self.interval, notifier.watchdogInterval ?? Self.interval)
            do { try await Task.sleep(for: pause, tolerance: pause / 10) } catch { return }
        }
    }

    /// The tracker begins beside this service and takes its sources and sinks up within milliseconds.
    private func waitUntilRunning() async {
        while await !agent.isReady() {
            do { try await Task.sleep(for: .milliseconds(20)) } catch { return }
        }
    }

    /// Once, when everything has run at least once.
    private func releaseStartupPages() async {
        do { try await Task.sleep(for: .seconds(10), tolerance: .seconds(1)) } catch { return }
        StartupPages.release()
    }

    private func show(_ address: String, _ registry: any ViewerRegistry) {
        /// One that can be opened once; `nil` where the list cannot be written, which the server says.
        func link() -> Secret? { try? registry.link(of: nil, mayEdit: false, listening: address) }
        switch display {
        case .live(let screen, _), .lines(let screen):
            // A file, and what else is no terminal, is no place for a key.
            if Terminal.output.isInteractive, let link = link() {
                screen.print("look at \(link.revealed)")
            } else {
                screen.print("the page is at \(address); \(Agent.current.name) device link prints a link to it")
            }
        case .log: break
        }
        guard opensPage, let link = link(), let problem = WebBrowser.open(link) else { return }
        switch display {
        case .live(let screen, _), .lines(let screen): screen.print("--open: \(problem)")
        case .log(let logger): logger.warning("page not opened", metadata: ["reason": "\(problem)"])
        }
    }

    private func show(_ status: AgentStatus, _ changes: [StateChange]) {
        if !changes.isEmpty { notifier.send(.status(status.summary)) }
        switch display {
        case .live(let screen, let style): screen.show(StatusView.lines(status, style()))
        case .lines, .log: for change in changes { display.say(change) }
        }
    }
}

extension MonitorService.Display {
    /// Says what the agent does, once it is put together.
    func introduce(_ agent: AssembledAgent) {
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

/// Something that falls due at an interval, or never.
private struct Due {
    private let interval: Duration?
    private var next = ContinuousClock.now

    init(every interval: Duration?) { self.interval = interval }

    /// Whether it is due, with the tolerance of the loop that asks.
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
