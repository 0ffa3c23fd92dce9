internal import Logging

/// One run: its preparation, its tasks and their end.
extension Tracker {
    func track(until end: TrackerEnd) async throws {
        try await prepare()
        logger.info(
            "running",
            metadata: [
                "device": "\(device)", "sources": "\(configuration.sources.count)",
                "sinks": "\(configuration.sinks.count)",
            ])
        await withTaskGroup(of: Void.self) { group in
            for delivery in deliveries {
                group.addTask { await delivery.run() }
                group.addTask { await delivery.keepSinkUp() }
            }
            group.addTask { await self.runRetention() }
            group.addTask { await self.endPauses() }
            await runSources(until: end)
            if !Task.isCancelled { await decideAndFlush() }
            group.cancelAll()
        }
        if !Task.isCancelled { await forgetPipelines() }
    }

    private func prepare() async throws {
        publisher.storeFailed(nil)
        hurries = 0
        await store.commitAtOnce(false)
        try await configureStore()
        try await prune()
        if pauses.isClosed || gate?.isClosed == true { try await forgetLiveCheckpoints() }
        let checkpoints = try await store.checkpoints()
        let odometers = try await store.odometers()
        let hasEvents = configuration.detector != nil || !configuration.ownEvents.isEmpty
        let states = hasEvents ? try await store.detectorStates() : [:]
        processors = configuration.sources.map { SourceProcessor(configuration.recording, environment(of: $0)) }
        deliveries = configuration.sinks.map { binding in
            SinkDelivery(
                binding, store: store, watch: watch, wallClock: wallClock, logger: logger, pauses: pauses,
                onSettled: { [housekeepingSignal] in housekeepingSignal.raise() },
                undecided: newestUndecided)
        }
        publisher.begin(deliveries)
        for processor in processors {
            let (id, environment) = (processor.source.id, processor.environment)
            let earlier = SavedRun(
                checkpoints.first { $0.source == id }, odometer: odometers[id], state: states[id],
                under: environment.rules)
            await processor.adapt { $0.resume(earlier, environment) }
        }
        await prepareGate()  // throws nothing: once there are deliveries, callers wait for them, so they must run
    }

    /// The newest fix that is not decided yet, as a record.
    private var newestUndecided: @Sendable () -> RecordDraft? {
        // Captures only the logs: processors refer to the publisher, which refers to the deliveries that keep this closure.
        let logs = processors.map { ($0.source.id, $0.log) }
        return { [device, hostStatus = configuration.hostStatus, watch] in
            logs.compactMap { source, log in
                let report = log.current
                guard let fix = report.latest else { return nil }
                return report.undecided?.draft(
                    of: fix, device: device, source: source,
                    host: report.hidesPlace
                        ? hostStatus()?.withoutNetwork : report.disclosure.disclosed(hostStatus(), at: watch.now),
                    context: report.context)
            }
            .max { $0.fix.time < $1.fix.time }
        }
    }

    private func environment(of source: any FixSource) -> SourceProcessorEnvironment {
        SourceProcessorEnvironment(
            source: source, device: device, store: store, watch: watch, wallClock: wallClock,
            hostStatus: configuration.hostStatus, logger: logger, publisher: publisher,
            detector: configuration.detector,
            rules: PositionRules(
                isLive: source.timeBase == .arrival, pauses: pauses, gate: gate,
                privacyFilter: configuration.privacyFilter,
                positionOverride: configuration.positionOverride),
            ownEvents: configuration.ownEvents)
    }

    private func runSources(until end: TrackerEnd) async {
        life.started()
        if processors.isEmpty { resumeFinishWaiters() }
        if end == .sourcesFinished, processors.isEmpty { stopSignal.raise() }
        await withTaskGroup(of: Void.self) { group in
            for processor in processors {
                group.addTask {
                    await SourceLoop(processor: processor).run()
                    await self.sourceEnded(end)
                }
                group.addTask { await processor.runTimers() }
            }
            await stopSignal.wait()
            await beginHurry()  // until the run has ended
            group.cancelAll()
            // Not earlier: a source whose fix is returned to it must see that it is cancelled.
            for processor in processors { processor.writer.end() }
        }
        life.sourcesStopped()
    }

    private func sourceEnded(_ end: TrackerEnd) {
        guard life.sourceEnded() else { return }
        resumeFinishWaiters()
        if end == .sourcesFinished { stopSignal.raise() }
    }
}
