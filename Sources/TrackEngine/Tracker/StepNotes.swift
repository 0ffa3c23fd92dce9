/// The decisions of a step. Noncopyable, because there are some for each fix.
struct StepNotes: ~Copyable {
    /// Whether observers get every decision, not only the records.
    let keepsDecisions: Bool
    /// The positions to store.
    private(set) var planned: [(fix: Fix, plan: RecordPlan)] = []
    /// The events to store.
    private(set) var events: [PendingEvent] = []
    private(set) var decisions: [(fix: Fix, decision: Decision)] = []
    /// The number of fixes that the step has processed.
    private(set) var fixes = 0
    /// The time at which the last of them arrived.
    private(set) var lastArrival: Timestamp?
    /// The time of the newest fix at a place where tracking is off.
    private(set) var lastOff: Timestamp?
    /// Whether the track is not known to the store any longer: the next run begins a new leg.
    var forgetsCheckpoint = false
    /// Whether later records refer to the step's last position.
    var movesReference = true
    private var rejected = CaseCounts<RejectionReason>()
    /// The last consecutive fixes that were rejected for one reason, not yet in ``rejected``: a moving object's fixes
    /// are mostly too near, and counting them must not allocate in a step of one fix.
    private var run: (reason: RejectionReason, count: Int)?

    init(keepsDecisions: Bool) { self.keepsDecisions = keepsDecisions }

    /// Whether there is no record to store.
    var isEmpty: Bool { planned.isEmpty && events.isEmpty }

    /// The position to store to which later records refer.
    var reference: Fix? { movesReference ? planned.last?.fix : nil }

    /// Counts the fixes of the step.
    mutating func note(_ received: ReceivedBatch) {
        fixes += received.count
        lastArrival = received.lastArrival ?? lastArrival
    }

    mutating func note(_ fix: Fix, _ decision: Decision) {
        if keepsDecisions { decisions.append((fix, decision)) }
        switch decision {
        case .record(let plan):
            planned.append((fix, plan))
            if plan.passedOver > 0 { reject(plan.passedOver, for: .unneeded) }
        case .reject(let reason): reject(1, for: reason)
        case .undecided, .standby: break
        }
    }

    mutating func note(_ event: DetectorEvent, isMoving: Bool, odometer: Double) {
        events.append(PendingEvent(event: event, place: planned.count, isMoving: isMoving, odometer: odometer))
    }

    /// Sets the context of the events found at one fix to the one known after it.
    mutating func give(_ context: RecordContext?, toEventsFrom first: Int) {
        for index in first..<events.count { events[index].context = context }
    }

    /// Counts a fix at a place where tracking is off. It is not reported to observers.
    mutating func noteOff(at time: Timestamp) {
        lastOff = time
        reject(1, for: .off)
    }

    private mutating func reject(_ count: Int, for reason: RejectionReason) {
        if let run, run.reason == reason {
            self.run?.count += count
        } else {
            if let run { rejected.add(run.count, of: run.reason) }
            run = (reason, count)
        }
    }

    /// Adds the step's counts to a source's statistics.
    func count(into report: inout SourceReport) {
        report.fixes += fixes
        if let lastArrival { report.lastArrival = lastArrival }
        report.recorded += planned.count
        report.events += events.count
        for record in planned { report.causeCounts.add(of: record.plan.cause) }
        report.rejectionCounts.add(rejected)
        if let run { report.rejectionCounts.add(run.count, of: run.reason) }
    }

    /// Passes the step's decisions, and the records that the store has made of them, to listeners.
    func announce(_ records: [TrackRecord], of source: SourceID, to listeners: ValuePublisher<TrackerDecision>) {
        guard listeners.hasListeners else { return }
        guard keepsDecisions else {
            // A listener subscribed while the store was writing.
            for record in records { listeners.send(.recorded(record)) }
            return
        }
        var stored = records.filter { $0.kind == .location }.makeIterator()
        for (fix, decision) in decisions {
            switch decision {
            case .record: if let record = stored.next() { listeners.send(.recorded(record)) }
            case .reject(let reason): listeners.send(.rejected(fix: fix, source: source, reason: reason))
            case .undecided: break  // counted later, and sent as a record if it becomes one
            case .standby: listeners.send(.standby(source))
            }
        }
        for event in records where event.kind != .location { listeners.send(.recorded(event)) }
    }
}

/// An event to store, with the state of the pipeline when it was found, because a step may process many fixes.
struct PendingEvent {
    let event: DetectorEvent
    /// The number of the step's positions before the event.
    let place: Int
    let isMoving: Bool
    /// The distance travelled, in metres.
    let odometer: Double
    /// The context known to the detector after the event.
    var context: RecordContext?
}
