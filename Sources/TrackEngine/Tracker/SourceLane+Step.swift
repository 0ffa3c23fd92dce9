extension SourceLane {
    /// What one batch of fixes, or one deadline, leads to, before it is stored. It is never copied: there is one for each fix.
    struct Step: ~Copyable {
        private(set) var pipeline: Boxed<TrackPipeline>
        /// In a box, so that a lane without one copies a word.
        private(set) var detection: Boxed<TrackDetection>?
        /// Whether the gates refuse all that a live source gives.
        private(set) var refusals: RefusalWatch
        /// What judges fixes that must not be recorded; absent where they may.
        private(set) var watching: Boxed<TrackPipeline>?
        /// The time of the newest fix that must not be recorded.
        private(set) var lastOff: Timestamp?
        /// What is told of the tracker itself.
        var telling: SelfReport
        private var notes: Notes

        /// - Parameter keepsDecisions: whether somebody wants to be told of every decision, not only of the records.
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
        /// Whether there is nothing to store.
        var isEmpty: Bool { planned.isEmpty && events.isEmpty }
        /// What the detector has found.
        var events: [PlannedEvent] { notes.events }
        var decisions: [(fix: Fix, decision: Decision)] { notes.decisions }
        var keepsDecisions: Bool { notes.keepsDecisions }

        /// Judges a fix, after the deadlines before it where time is the fixes' own.
        mutating func process(_ received: ReceivedFix, timeBase: TimeBase) {
            if received.isBehindHidden { conceal() }
            let (fix, wallClock) = (received.fix, received.wallClock)
            var notes = takeNotes()
            let before = detection == nil ? nil : pipeline.value.latest
            let planned = notes.planned.count
            switch timeBase {
            case .arrival:
                // The first decision is about the fix itself, its date put right; later ones are about those before it.
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

        /// Shows the detector the newest fix, if it is one that passed the gates just now. Apart, so that a lane without a
        /// detector pays nothing for it.
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

        /// The object is where nobody is to know that it is.
        mutating func conceal() { detection?.value.conceal() }

        /// Lets time pass.
        mutating func timeout(at now: TrackInstant) {
            var notes = takeNotes()
            pipeline.value.timeout(at: now) { notes.note($0, $1) }
            let (isMoving, odometer) = (pipeline.value.isMoving, pipeline.value.odometer)
            let found = notes.events.count
            let isOff = watching != nil
            detection?.value.pass(to: now) { event in
                // Where the object is must not be known; how a trip ended before is told.
                guard !isOff || event.content.kind.isOfTheWayBefore else { return }
                notes.note(event, isMoving: isMoving, odometer: odometer)
            }
            if !isOff { notes.give(detection?.value.context, toEventsFrom: found) }
            self.notes = notes
        }

        /// Has the detector do what somebody asks for; returns whether it did.
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

        /// Ends what lasts, because the recording has ended.
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

        /// Notes something that the tracker itself has to tell.
        mutating func tell(_ content: RecordContent, at fix: Fix) {
            let found = notes.events.count
            notes.note(
                DetectedEvent(content, at: fix), isMoving: pipeline.value.isMoving, odometer: pipeline.value.odometer)
            notes.give(detection?.value.context, toEventsFrom: found)
        }

        /// Has the newest position recorded; returns whether later records follow on it.
        mutating func request() -> Bool {
            var notes = takeNotes()
            defer { self.notes = notes }
            return pipeline.value.request { notes.note($0, $1) }
        }

        /// Decides what is undecided.
        mutating func decideAll() {
            var notes = takeNotes()
            pipeline.value.decideAll { notes.note($0, $1) }
            self.notes = notes
        }

        /// Decides what is undecided, and has the next fix begin a new leg.
        mutating func interrupt() {
            interruptPipeline()
            detection?.value.interrupt()
        }

        /// The same, while time passes for the events under way.
        mutating func interruptPipeline() {
            var notes = takeNotes()
            pipeline.value.interrupt { notes.note($0, $1) }
            self.notes = notes
            refusals.beginAnew()
        }

        /// The object comes from where it was on a way that nobody travelled: begins a new leg, which no gate refuses.
        mutating func relocate() {
            if latest != nil { interruptPipeline() }
            pipeline.value.relocate()
            watching?.value.relocate()
        }

        /// Ends the leg, because fixes must not be recorded where the object is.
        mutating func beginWatching() {
            guard watching == nil else { return }
            watching = pipeline
            interruptPipeline()
        }

        /// Takes a fix that must not be recorded as no more than what tells in which places the object is.
        mutating func watch(
            _ pipeline: Boxed<TrackPipeline>?, _ detection: Boxed<TrackDetection>, at time: Timestamp
        ) {
            watching = pipeline
            lastOff = time
            self.detection = detection
            notes.countOff()
        }

        /// Fixes may be recorded again.
        mutating func endWatching() { watching = nil }

        /// The notes, taken out, so that they are changed in place while the pipeline changes.
        private mutating func takeNotes() -> Notes {
            defer { notes = Notes(keepsDecisions: notes.keepsDecisions) }
            return notes
        }

        /// How the pipeline stands after the step.
        mutating func summary() -> PipelineSummary { pipeline.value.summary() }

        /// Adds the step to a source's statistics.
        func count(into report: inout SourceReport) {
            report.recorded += planned.count
            report.events += events.count
            for record in planned { report.causeCounts.add(of: record.plan.cause) }
            notes.countRejected(into: &report)
        }
    }

    /// An event that is to be stored, and how the pipeline stood when it was found: a step may be of many fixes.
    struct PlannedEvent {
        let event: DetectedEvent
        /// After how many of the step's positions it comes.
        let place: Int
        let isMoving: Bool
        /// In metres.
        let odometer: Double
        /// What the detector knew after it.
        var context: RecordContext?
    }

    /// What a step has decided.
    private struct Notes {
        let keepsDecisions: Bool
        private(set) var planned: [(fix: Fix, plan: RecordPlan)] = []
        private(set) var events: [PlannedEvent] = []
        private(set) var decisions: [(fix: Fix, decision: Decision)] = []
        private var rejected = CaseCounts<RejectionReason>()
        /// The last fixes in a row that were rejected for one reason, not in ``rejected`` yet: on the way most are too
        /// near, and a step of one fix allocates nothing for it.
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

        /// Events that were found at one fix have what was known after it.
        mutating func give(_ context: RecordContext?, toEventsFrom first: Int) {
            for index in first..<events.count { events[index].context = context }
        }

        /// Counts a fix that must not be recorded. Nobody is shown it.
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
    /// Why the gates refused the fix; `nil` where it passed them.
    fileprivate var refusalByGates: RejectionReason? {
        if case .reject(let reason) = self, reason.isOfGates { reason } else { nil }
    }
}
