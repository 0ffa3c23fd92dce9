internal import Logging

/// Storing the records of a step, and passing them to drains and listeners.
extension SourceLane {
    func newStep() -> Step {
        Step(
            pipeline, detection, refusals, watching, telling,
            keepsDecisions: environment.hub.decisions.hasListeners)
    }

    func commit(
        _ step: consuming Step, of fixes: [ReceivedFix] = [], movesReference: Bool = true,
        before deadline: TrackInstant? = nil
    ) async throws(CancellationError) {
        let records = step.isEmpty ? [] : try await store(step, movesReference: movesReference, before: deadline)
        let isNews = adopt(step, records, of: fixes, movesReference: movesReference)
        isStateKept = !records.isEmpty
        if isNews, records.isEmpty { await keepState() }
    }

    /// Takes over the result of a step whose records are stored. Returns whether the lane must save its state although
    /// there is no record: the object has entered or left a place without recording, or is hidden.
    func adopt(
        _ step: consuming Step, _ records: [TrackRecord] = [], of fixes: [ReceivedFix], movesReference: Bool = true
    ) -> Bool {
        let summary = step.summary()
        pipeline = step.pipeline
        let known = detection?.value.context
        detection = step.detection
        refusals = step.refusals
        telling = step.telling
        let beginsOff = watching == nil && step.watching != nil
        watching = step.watching
        if movesReference, let last = step.planned.last?.fix {
            progress = .taken(last)
            if !records.isEmpty { detection?.value.recorded() }
        }
        let isHidden = detection?.value.isConcealed == true
        if !fixes.isEmpty || isHidden && !isConcealmentKept { isStateKept = false }
        if !isHidden { isConcealmentKept = false }
        show(summary) { report in
            step.count(into: &report)
            report.fixes += fixes.count
            report.steadyRefusal = step.refusals.steady
            if let last = fixes.last { report.lastArrival = last.wallClock }
        }
        announce(step, records)
        if !records.isEmpty { environment.hub.stored(records) }
        return beginsOff || isHidden && !isConcealmentKept || watching != nil && detection?.value.context != known
    }

    /// Stores the records of a step that has some. Retries until the store succeeds, the run ends, or the deadline
    /// passes. Nothing is taken over before the records are stored.
    private func store(
        _ step: borrowing Step, movesReference: Bool, before deadline: TrackInstant?
    ) async throws(CancellationError) -> [TrackRecord] {
        let host = sampledHost(step)
        let drafts = drafts(of: step, host)
        let checkpoint = checkpoint(after: drafts, of: step, movesReference: movesReference)
        var tried = 0
        storing = drafts.count
        defer { storing = 0 }
        while true {
            do {
                let records = try await environment.store.append(drafts, checkpoint: checkpoint)
                if tried > 0 { environment.hub.storeFailed(nil) }
                if let checkpoint, !checkpoint.detectorState.isEmpty {
                    lastCheckpoint = checkpoint
                    isConcealmentKept = step.detection?.value.isConcealed == true
                }
                return records
            } catch {
                if Task.isCancelled || error.code == .closed { throw CancellationError() }
                tried += 1
                if tried == 1 {
                    environment.logger.error("cannot store", metadata: ["error": "\(error)"])
                    environment.hub.storeFailed("\(error)")
                }
                try await waitToRetry(tried: tried, before: deadline)
            }
        }
    }

    /// Returns the records of a step: positions, each followed by the events found at it.
    private func drafts(of step: borrowing Step, _ host: SampledHost) -> [RecordDraft] {
        let positions = step.planned.map { fix, plan in
            plan.draft(
                of: fix, device: environment.device, source: source.id, host: host.status(at: fix.time),
                context: step.detection?.value.context(at: fix.time))
        }
        guard !step.events.isEmpty else { return positions }
        var drafts: [RecordDraft] = []
        var next = positions.startIndex
        for planned in step.events {
            let event = planned.event
            drafts += positions[next..<planned.place]
            next = planned.place
            drafts.append(
                RecordDraft(
                    id: RecordID(device: environment.device, source: source.id, fix: event.fix, content: event.content),
                    fix: event.fix, isMoving: planned.isMoving, cause: .detected, source: source.id,
                    host: host.status(at: event.fix.time),
                    odometer: planned.odometer, content: event.content,
                    context: planned.context))
        }
        return drafts + positions[next...]
    }

    /// Returns the source's checkpoint after a step: at the step's last position, or at the previous one if the step
    /// has none.
    private func checkpoint(after drafts: [RecordDraft], of step: borrowing Step, movesReference: Bool)
        -> SourceCheckpoint?
    {
        let last = movesReference ? drafts.last { $0.kind == .location } : nil
        let checkpoint = last.map { step.pipeline.value.checkpoint(after: $0) }
        guard let state = state(step.detection, step.pipeline, step.telling) else { return checkpoint }
        return (checkpoint ?? checkpointOfState)?.with(detectorState: state)
    }

    /// Returns the state that the next run needs in addition to the checkpoint; `nil` if neither events nor the
    /// tracker's own events are recorded.
    private func state(
        _ detection: Boxed<TrackDetection>?, _ pipeline: Boxed<TrackPipeline>, _ telling: SelfReport
    ) -> [UInt8]? {
        guard detection != nil || !telling.kinds.isEmpty else { return nil }
        var state = LaneState(cover: environment.cover?.signature ?? 0)
        detection?.value.write(to: &state)
        state.odometer = pipeline.value.exactOdometer
        (state.paused, state.power) = (telling.paused, telling.power)
        return state.bytes
    }

    /// The checkpoint for a state without a new checkpoint. A recording without a checkpoint begins from its start.
    private var checkpointOfState: SourceCheckpoint? {
        lastCheckpoint ?? (isRecording ? nil : .withoutPlace(of: source.id, device: environment.device))
    }

    /// Saves the lane's state unless the store has it, for another run to restore before its first fix.
    func keepState() async {
        guard !isStateKept, let state = state(detection, pipeline, telling), let checkpoint = checkpointOfState else {
            return
        }
        do {
            _ = try await environment.store.append([], checkpoint: checkpoint.with(detectorState: state))
            isStateKept = true
            isConcealmentKept = detection?.value.isConcealed == true
        } catch {
            environment.hub.storeFailed("\(error)")
        }
    }

    private func waitToRetry(tried: Int, before deadline: TrackInstant?) async throws(CancellationError) {
        var wait = Backoff(maximum: .seconds(10)).wait(tried: tried)
        if let deadline {
            wait = min(wait, environment.watch.remaining(until: deadline))
            if wait <= .zero { throw CancellationError() }
        } else if isEnding {
            throw CancellationError()
        }
        await retrySignal.wait(for: wait, on: environment.watch.clock)
        if Task.isCancelled || isEnding && deadline == nil { throw CancellationError() }
    }

    /// - Parameter change: a further change of the report, made under the same lock, so that readers see both or
    ///   neither.
    func show(_ summary: PipelineSummary, _ change: (inout SourceReport) -> Void = { _ in }) {
        // While recording is off, it suffices to notice that the object leaves.
        demand.set(isOff ? pipeline.value.restDemand : summary.demand)
        tellGate()
        let (isHidden, hidesPlace) = (isOff, hidesPlace)
        log.update { report in
            change(&report)
            report.show(summary)
            report.context = isHidden ? nil : detection?.value.context
            report.hidesPlace = isHidden || hidesPlace
        }
        guard timeBase == .arrival,
            let deadline = [summary.deadline, detection?.value.deadline].compactMap(\.self).min()
        else { return }
        if armed.map({ deadline < $0 }) ?? true { timerSignal.raise() }
    }

    private func announce(_ step: borrowing Step, _ records: [TrackRecord]) {
        guard environment.hub.decisions.hasListeners else { return }
        guard step.keepsDecisions else {
            // A listener subscribed while the store was writing.
            for record in records { environment.hub.decisions.send(.recorded(record)) }
            return
        }
        defer {
            for event in records where event.kind != .location { environment.hub.decisions.send(.recorded(event)) }
        }
        var stored = records.filter { $0.kind == .location }.makeIterator()
        for (fix, decision) in step.decisions {
            switch decision {
            case .record: if let record = stored.next() { environment.hub.decisions.send(.recorded(record)) }
            case .reject(let reason):
                environment.hub.decisions.send(.rejected(fix: fix, source: source.id, reason: reason))
            case .undecided: break  // counted later, and sent as a record if it becomes one
            case .standby: environment.hub.decisions.send(.standby(source.id))
            }
        }
    }
}
