internal import Logging

/// One run: its preparation, its tasks and their end.
extension Tracker {
    func track(until end: TrackerEnd) async throws {
        try await prepare()
        logger.info(
            "running", metadata: ["device": "\(device)", "sources": "\(sources.count)", "sinks": "\(bindings.count)"])
        await withTaskGroup(of: Void.self) { group in
            for drain in drains {
                group.addTask { await drain.run() }
                group.addTask { await drain.keepSinkUp() }
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
        hub.storeFailed(nil)
        hurries = 0
        await store.commitAtOnce(false)
        try await store.configure(retention, sinks: Set(bindings.map(\.sink.id)))
        try await prune()
        if pauses.isClosed || gate?.isClosed == true { try await forgetLiveCheckpoints() }
        let checkpoints = try await store.checkpoints()
        let odometers = try await store.odometers()
        let states = detector == nil && told.isEmpty ? [:] : try await store.detectorStates()
        lanes = sources.map { SourceProcessor($0, configuration: configuration, environment: laneEnvironment(of: $0)) }
        drains = bindings.map { binding in
            SinkDelivery(
                SinkBinding(binding.sink, sync: sync[binding.sink.id] ?? binding.sync), store: store, watch: watch,
                wallClock: wallClock, logger: logger, pauses: pauses,
                onSettled: { [housekeepingSignal] in housekeepingSignal.raise() },
                undecided: newestUndecided)
        }
        hub.begin(drains)
        for lane in lanes {
            let id = lane.source.id
            await lane.resume(checkpoints.first { $0.source == id }, odometer: odometers[id], state: states[id])
        }
        await prepareGate()  // throws nothing: once there are drains, callers wait for them, so they must run
    }

    /// The newest fix that is not decided yet, as a record.
    private var newestUndecided: @Sendable () -> RecordDraft? {
        // Captures only the logs: lanes refer to the hub, which refers to the drains that keep this closure.
        let logs = lanes.map { ($0.source.id, $0.log) }
        return { [device, hostStatus, watch] in
            logs.compactMap { source, log in
                let report = log.current
                guard let fix = report.latest else { return nil }
                return report.undecided?.draft(
                    of: fix, device: device, source: source,
                    host: report.hidesPlace
                        ? hostStatus()?.withoutNetwork : report.disclosure.told(hostStatus(), at: watch.now),
                    context: report.context)
            }
            .max { $0.fix.time < $1.fix.time }
        }
    }

    private func laneEnvironment(of source: any FixSource) -> SourceProcessorEnvironment {
        SourceProcessorEnvironment(
            device: device, store: store, watch: watch, wallClock: wallClock, hostStatus: hostStatus, logger: logger,
            hub: hub, detector: detector,
            rules: PositionRules(
                isLive: source.timeBase == .arrival, pauses: pauses, gate: gate, cover: cover, authority: authority),
            told: told)
    }

    private func runSources(until end: TrackerEnd) async {
        life.started()
        if sources.isEmpty { resumeFinishWaiters() }
        if end == .sourcesFinished, sources.isEmpty { stopSignal.raise() }
        await withTaskGroup(of: Void.self) { group in
            for lane in lanes {
                group.addTask {
                    await SourceLoop(lane: lane).run()
                    await self.sourceEnded(end)
                }
                group.addTask { await lane.runTimers() }
            }
            await stopSignal.wait()
            await beginHurry()  // until the run has ended
            group.cancelAll()
            // Not earlier: a source whose fix is returned to it must see that it is cancelled.
            for lane in lanes { lane.appender.end() }
        }
        life.sourcesStopped()
    }

    private func sourceEnded(_ end: TrackerEnd) {
        guard life.sourceEnded() else { return }
        resumeFinishWaiters()
        if end == .sourcesFinished { stopSignal.raise() }
    }
}
