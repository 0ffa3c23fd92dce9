import ArgumentParser
import Glibc
import Logging
import NIOCore
import ServiceLifecycle
import TrackEngine
import TrackEngineIntegrations

/// The life of `trackd run`: assembles the agent, runs it, handles signals, and ends it in order.
struct AgentProcess: Sendable {
    private let configuration: AgentConfiguration
    private let loader: ConfigurationReader
    private let platform: SystemServices
    private let opensPage: Bool
    private let watchdog: EndDeadline
    /// Raised to request a reload of the configuration.
    private let reloadSignal = WakeSignal()

    init(_ configuration: AgentConfiguration, loader: ConfigurationReader, platform: SystemServices, opensPage: Bool) {
        self.configuration = configuration
        self.opensPage = opensPage
        self.loader = loader
        self.platform = platform
        watchdog = EndDeadline { [logger = platform.logger] stage, limit in
            logger.critical(
                "the agent does not end in time, it exits without waiting longer",
                metadata: ["waiting for": "\(stage.rawValue)", "seconds": "\(limit.components.seconds)"])
            // Not exit(3): its handlers may wait for a call that does not return.
            _exit(ExitCode.failure.rawValue)
        }
    }

    /// Runs until a signal ends it.
    func run() async throws(AgentStartError) {
        let agent = try await AgentRuntime.assemble(
            configuration, loader: loader, reload: reloadSignal, logger: platform.logger)
        let outcome = await Self.outcome { () throws(AgentStartError) in try await run(agent) }
        watchdog.wait(for: .connections, atMost: await endLimit(of: agent))
        await agent.closeConnections()
        watchdog.wait(for: .store, atMost: await endLimit(of: agent))
        await agent.closeStore()
        try? await platform.eventLoop.shutdownGracefully()  // fails only when it has been shut down before
        watchdog.ended()
        try outcome.get()
    }

    private func run(_ agent: AgentRuntime) async throws(AgentStartError) {
        let socket = try await controlSocket()
        defer { socket?.remove() }
        platform.display.introduce(agent)
        for caution in agent.cautions { caution.log(to: platform.logger) }
        configuration.remote.tellWithheld(since: RemoteStatus(), to: platform.logger)
        await agent.remote.endOldTrial(isApplied: agent.applied.hasApplied)
        let group = ServiceGroup(services: services(agent, socket), logger: quietLogger)
        do {
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                tasks.addTask { try await group.run() }
                tasks.addTask { await actOnSignals(agent, group) }
                try await tasks.next()
                tasks.cancelAll()
            }
        } catch {
            throw .failed("\(error)")
        }
    }

    /// The time limit of the shutdown, from the moment of the request.
    private func endLimit(of agent: AgentRuntime) async -> Duration {
        await agent.tracker.configuration.recording.flushTimeout + EndDeadline.patience
    }

    /// The services in start order. The group stops them in reverse: the tracker first, so clients can watch its end.
    private func services(_ agent: AgentRuntime, _ socket: ControlSocket?) -> [any Service] {
        let monitor = MonitorService(
            agent: agent, display: platform.display, notifier: platform.notifier, opensPage: opensPage)
        let control = socket.map { socket in
            let answers = AgentControl(agent: agent)
            return ControlService(
                server: ControlServer(socket, logger: platform.logger) { request, part in
                    try await answers.answer(request, part)
                })
        }
        var services: [any Service] = [monitor, TrackerService(agent.tracker)]
        if let control { services.insert(control, at: 0) }
        return services
    }

    private var quietLogger: Logger {
        var logger = platform.logger
        logger.logLevel = max(platform.level.current, .warning)
        return logger
    }

    private func controlSocket() async throws(AgentStartError) -> ControlSocket? {
        guard let path = configuration.control.socket else { return nil }
        do throws(ControlError) {
            return try await ControlSocket(path: path, on: platform.eventLoop)
        } catch {
            await platform.signals.close()
            throw error.code == .busy ? .taken(error.message) : .failed(error.message)
        }
    }

    /// Handles signals. Returns when the task is cancelled because the group has ended.
    ///
    /// A reload may wait for a store that cannot write; a request to end does not wait for the reload.
    private func actOnSignals(_ agent: AgentRuntime, _ group: ServiceGroup) async {
        platform.endWhenOutputCloses()
        await withTaskGroup(of: Void.self) { tasks in
            tasks.addTask { await reload(agent, whenever: reloadSignal) }
            tasks.addTask { try? await agent.remote.run() }  // ends only when it is cancelled
            await platform.signals.deliver { event in
                switch event {
                case .end:
                    watchdog.wait(for: .tracker, atMost: await endLimit(of: agent))
                    platform.notifier.send(.stopping, .status("stopping"))
                    await group.triggerGracefulShutdown()
                case .reload: reloadSignal.raise()
                }
            }
            tasks.cancelAll()
        }
    }

    /// Reloads once for all requests that arrived in the meantime, until cancelled.
    private func reload(_ agent: AgentRuntime, whenever signal: WakeSignal) async {
        let reload = AgentReload(agent, loader: loader, level: platform.level, logger: platform.logger)
        while true {
            await signal.wait()
            guard !Task.isCancelled else { return }
            platform.notifier.send(.reloading(monotonic: SystemdReporter.monotonic))
            await agent.remote.lookAgain()
            await reload.reload()
            // An agent that began to stop in the meantime has already reported that, and is not ready again.
            if await agent.tracker.state == .running { platform.notifier.send(.ready) }
        }
    }

    private static func outcome(
        _ body: () async throws(AgentStartError) -> Void
    ) async -> Result<Void, AgentStartError> {
        do throws(AgentStartError) { return .success(try await body()) } catch { return .failure(error) }
    }
}
