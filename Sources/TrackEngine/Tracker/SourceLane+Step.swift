extension SourceLane {
    /// The result of a batch of fixes or of a deadline before it is stored. Noncopyable, because there is one for each
    /// fix.
    struct Step: ~Copyable {
        private(set) var pipeline: Boxed<TrackPipeline>
        /// Boxed, because a lane without a detector then copies only a word.
        private(set) var detection: Boxed<TrackDetection>?
        /// Watches whether the gates reject every fix of a live source.
        private(set) var refusals: RefusalWatch
        /// The pipeline for fixes that must not be recorded; absent while fixes may be recorded.
        private(set) var watching: Boxed<TrackPipeline>?
        /// The time of the newest fix that must not be recorded.
        private(set) var lastOff: Timestamp?
        /// The tracker's own events.
        var telling: SelfReport
        private var notes: Notes

        /// - Parameter keepsDecisions: whether observers get every decision, not only the records.
        init(
            _ pipeline: Boxed<TrackPipeline>, _ detection: Boxed<TrackDetection>?, _ refusals: RefusalWatch,
            _ watching: Boxed<TrackPipeline>?, _ telling: SelfReport, keepsDecisions: Bool
        ) {
            self.pipeline = pipeline
            self.detection = detection
            self.refusals = refusals
            self.watching = watching
            self.telling = telling
            notes = Notes(keepsDecisions: keepsDecisions)
        }

        var planned: [(fix: Fix, plan: RecordPlan)] { notes.planned }
        /// Whether there is no record to store.
        var isEmpty: Bool { planned.isEmpty && events.isEmpty }
        /// The events that the detector has found.
        var events: [PlannedEvent] { notes.events }
        var decisions: [(fix: Fix, decision: Decision)] { notes.decisions }
        var keepsDecisions: Bool { notes.keepsDecisions }

        /// Processes a fix. Where time is the fixes' own, earlier deadlines are processed first.
        mutating func process(_ received: ReceivedFix, timeBase: TimeBase) {
            if received.isBehindHidden { conceal() }
            let (fix, wallClock) = (received.fix, received.wallClock)
            var notes = takeNotes()
            let before = detection == nil ? nil : pipeline.value.latest
            let planned = notes.planned.count
            switch timeBase {
            case .arrival:
                // The first decision is about the fix itself, with its date corrected; later ones are about earlier
                // fixes.
                var own: (time: Timestamp, refusal: RejectionReason?)?
                pipeline.value.process(fix, at: received.moment, wallClock: wallClock) {
                    if own == nil { own = ($0.time, $1.refusalByGates) }
                    notes.note($0, $1)
                }
                if let own {
                    refusals.note(own.refusal, time: own.time, at: received.moment, wallClock: wallClock)
                }
            case .fixTime: pipeline.value.replay(fix, wallClock: wallClock) { notes.note($0, $1) }
            }
            if detection != nil { detect(after: before, planned, at: received.moment, &notes) }
            self.notes = notes
        }

        /// Passes the newest fix to the detector if it has just passed the gates. A separate function, so that a lane
        /// without a detector pays no cost for it.
        @inline(never)
        private mutating func detect(
            after before: Fix?, _ planned: Int, at moment: TrackInstant, _ notes: inout Notes
        ) {
            guard let fix = pipeline.value.latest, fix != before, let hasHistory = detection?.value.hasHistory else {
                return
            }
            let observed = ObservedFix(
                fix: fix, isMoving: pipeline.value.isMoving, odometer: pipeline.value.odometer,
                beginsLeg: !hasHistory || notes.planned[planned...].contains { $0.plan.cause == .resumed })
            let found = notes.events.count
            let resumed = detection?.value.observe(observed, at: moment) {
                notes.note($0, isMoving: observed.isMoving, odometer: observed.odometer)
            }
            if let odometer = resumed.flatMap(\.self) { pipeline.value.exactOdometer = odometer }
            notes.give(detection?.value.context, toEventsFrom: found)
        }

        /// Notes that the object is hidden.
        mutating func conceal() { detection?.value.conceal() }

        /// Processes the deadlines up to a moment.
        mutating func timeout(at now: TrackInstant) {
            var notes = takeNotes()
            pipeline.value.timeout(at: now) { notes.note($0, $1) }
            let (isMoving, odometer) = (pipeline.value.isMoving, pipeline.value.odometer)
            let found = notes.events.count
            let isOff = watching != nil
            detection?.value.pass(to: now) { event in
                // The object's position must stay unknown; the end of an earlier trip is reported.
                guard !isOff || event.content.kind.isOfTheWayBefore else { return }
                notes.note(event, isMoving: isMoving, odometer: odometer)
            }
            if !isOff { notes.give(detection?.value.context, toEventsFrom: found) }
            self.notes = notes
        }

        /// Passes a request to the detector. Returns whether the detector fulfilled it.
        mutating func perform(_ request: EventRequest) -> Bool {
            var notes = takeNotes()
            defer { self.notes = notes }
            let (isMoving, odometer) = (pipeline.value.isMoving, pipeline.value.odometer)
            let found = notes.events.count
            let isDone =
                detection?.value.perform(request) { notes.note($0, isMoving: isMoving, odometer: odometer) } ?? false
            notes.give(detection?.value.context, toEventsFrom: found)
            return isDone
        }

        /// Ends open events because the recording has ended.
        mutating func end() {
            var notes = takeNotes()
            let (isMoving, odometer) = (pipeline.value.isMoving, pipeline.value.odometer)
            let found = notes.events.count
            detection?.value.end { notes.note($0, isMoving: isMoving, odometer: odometer) }
            notes.give(detection?.value.context, toEventsFrom: found)
            self.notes = notes
        }

        /// The newest fix that passed the gates.
        var latest: Fix? { pipeline.value.latest }

        /// Adds one of the tracker's own events.
        mutating func tell(_ content: RecordContent, at fix: Fix) {
            let found = notes.events.count
            notes.note(
                DetectedEvent(content, at: fix), isMoving: pipeline.value.isMoving, odometer: pipeline.value.odometer)
            notes.give(detection?.value.context, toEventsFrom: found)
        }

        /// Records the newest position. Returns whether later records refer to it.
        mutating func request() -> Bool {
            var notes = takeNotes()
            defer { self.notes = notes }
            return pipeline.value.request { notes.note($0, $1) }
        }

        /// Decides all undecided fixes.
        mutating func decideAll() {
            var notes = takeNotes()
            pipeline.value.decideAll { notes.note($0, $1) }
            self.notes = notes
        }

        /// Decides all undecided fixes; the next fix begins a new leg.
        mutating func interrupt() {
            interruptPipeline()
            detection?.value.interrupt()
        }

        /// The same for the pipeline alone: events under way continue.
        mutating func interruptPipeline() {
            var notes = takeNotes()
            pipeline.value.interrupt { notes.note($0, $1) }
            self.notes = notes
            refusals.beginAnew()
        }

        /// Begins a new leg whose first fix is not rejected by any gate: the object has not travelled the way to it.
        mutating func relocate() {
            if latest != nil { interruptPipeline() }
            pipeline.value.relocate()
            watching?.value.relocate()
        }

        /// Ends the leg because fixes must not be recorded at the object's position.
        mutating func beginWatching() {
            guard watching == nil else { return }
            watching = pipeline
            interruptPipeline()
        }

        /// Takes over a fix that must not be recorded; only the set of places in which the object is changes.
        mutating func watch(
            _ pipeline: Boxed<TrackPipeline>?, _ detection: Boxed<TrackDetection>, at time: Timestamp
        ) {
            watching = pipeline
            lastOff = time
            self.detection = detection
            notes.countOff()
        }

        /// Ends the off state: fixes may be recorded again.
        mutating func endWatching() { watching = nil }

        /// Moves the notes out, so that they are changed in place while the pipeline changes.
        private mutating func takeNotes() -> Notes {
            defer { notes = Notes(keepsDecisions: notes.keepsDecisions) }
            return notes
        }

        /// Returns the state of the pipeline after the step.
        mutating func summary() -> PipelineSummary { pipeline.value.summary() }

        /// Adds the step's counts to a source's statistics.
        func count(into report: inout SourceReport) {
            report.recorded += planned.count
            report.events += events.count
            for record in planned { report.causeCounts.add(of: record.plan.cause) }
            notes.countRejected(into: &report)
        }
    }

    /// An event to store, with the state of the pipeline when it was found, because a step may process many fixes.
    struct PlannedEvent {
        let event: DetectedEvent
        /// The number of the step's positions before the event.
        let place: Int
        let isMoving: Bool
        /// The distance travelled, in metres.
        let odometer: Double
        /// The context known to the detector after the event.
        var context: RecordContext?
    }

    /// The decisions of a step.
    private struct Notes {
        let keepsDecisions: Bool
        private(set) var planned: [(fix: Fix, plan: RecordPlan)] = []
        private(set) var events: [PlannedEvent] = []
        private(set) var decisions: [(fix: Fix, decision: Decision)] = []
        private var rejected = CaseCounts<RejectionReason>()
        /// The last consecutive fixes that were rejected for one reason, not yet in ``rejected``: a moving object's
        /// fixes are mostly too near, and counting them must not allocate in a step of one fix.
        private var run: (reason: RejectionReason, count: Int)?

        init(keepsDecisions: Bool) { self.keepsDecisions = keepsDecisions }

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

        mutating func note(_ event: DetectedEvent, isMoving: Bool, odometer: Double) {
            events.append(
                PlannedEvent(event: event, place: planned.count, isMoving: isMoving, odometer: odometer))
        }

        /// Sets the context of the events found at one fix to the one known after it.
        mutating func give(_ context: RecordContext?, toEventsFrom first: Int) {
            for index in first..<events.count { events[index].context = context }
        }

        /// Counts a fix that must not be recorded. It is not reported to observers.
        mutating func countOff() { reject(1, for: .off) }

        private mutating func reject(_ count: Int, for reason: RejectionReason) {
            if let run, run.reason == reason {
                self.run?.count += count
            } else {
                if let run { rejected.add(run.count, of: run.reason) }
                run = (reason, count)
            }
        }

        func countRejected(into report: inout SourceReport) {
            report.rejectionCounts.add(rejected)
            if let run { report.rejectionCounts.add(run.count, of: run.reason) }
        }
    }
}

extension Decision {
    /// The reason why the gates rejected the fix; `nil` if it passed them.
    fileprivate var refusalByGates: RejectionReason? {
        if case .reject(let reason) = self, reason.isOfGates { reason } else { nil }
    }
}
