/// The result of a batch of fixes or of a deadline before it is stored. Noncopyable, because there is one for each fix.
struct TrackStep: ~Copyable {
    /// The state of the track after the step.
    var track: TrackState
    var notes: StepNotes

    /// - Parameter keepsDecisions: whether observers get every decision, not only the records.
    init(_ track: TrackState, keepsDecisions: Bool) {
        self.track = track
        notes = StepNotes(keepsDecisions: keepsDecisions)
    }

    /// Processes the fixes that the policy has admitted. A pause since the last step ends the leg before them.
    mutating func take(_ admitted: PolicyOutcome, _ environment: SourceProcessorEnvironment) {
        let endsPause = track.ownEvents.paused != nil
        if track.policy.isLegEndDue(environment.rules) { track.beginPause(environment, &notes) }
        if endsPause { track.endPause(environment, &notes) }
        notes.note(admitted.fixes)
        track.take(admitted, environment.rules, &notes)
        track.notePower(environment, &notes)
    }

    /// Performs a command. Returns whether there is a step to commit.
    mutating func perform(_ command: TrackCommand, _ environment: SourceProcessorEnvironment) -> Bool {
        let rules = environment.rules
        switch command {
        case .beginPause:
            guard track.policy.isLegEndDue(rules) else { return false }
            track.beginPause(environment, &notes)
        case .endPause:
            guard !rules.isStopped, track.ownEvents.paused != nil else { return false }
            track.endPause(environment, &notes)
        case .timeout:
            if track.policy.isLegEndDue(rules) {
                track.beginPause(environment, &notes)
            } else if rules.isOff, !track.policy.hasEnded {
                track.switchOff(&notes)
            } else if !rules.isStopped {
                track.timeout(at: environment.watch.now, &notes)
            }
            if !rules.isStopped { track.notePower(environment, &notes) }
        case .switchOff, .gateChanged:
            guard command == .switchOff || rules.isOff, !track.policy.hasEnded else { return false }
            track.switchOff(&notes)
        case .decideAll: track.decideAll(&notes)
        case .endRecording:
            track.decideAll(&notes)
            track.end(&notes)
        case .endRun:
            track.decideAll(&notes)
            if !rules.isStopped { track.noteEnd(environment, &notes) }
        }
        return true
    }

    /// Notes that the records of the step are stored.
    mutating func noteStored() {
        if track.detection != nil, notes.reference != nil { track.detection?.value.recorded() }
    }

    // MARK: Records

    /// Returns the records of the step: positions, each followed by the events found at it.
    func drafts(_ host: HostReading, _ environment: SourceProcessorEnvironment) -> [RecordDraft] {
        let (source, device) = (environment.source.id, environment.device)
        let hash = FNVHash128(device, source)
        let positions = notes.planned.map { fix, plan in
            plan.draft(
                of: fix, hash, source: source, host: host.status(at: fix.time),
                context: track.detection?.value.context(at: fix.time))
        }
        guard !notes.events.isEmpty else { return positions }
        var drafts: [RecordDraft] = []
        var next = positions.startIndex
        for planned in notes.events {
            let event = planned.event
            drafts += positions[next..<planned.place]
            next = planned.place
            drafts.append(
                RecordDraft(
                    id: RecordID(device: device, source: source, fix: event.fix, content: event.content),
                    fix: event.fix, isMoving: planned.isMoving, cause: .detected, source: source,
                    host: host.status(at: event.fix.time), odometer: planned.odometer, content: event.content,
                    context: planned.context))
        }
        return drafts + positions[next...]
    }

    /// Returns the checkpoint at the step's last position; `nil` if the step has none to which later records refer.
    func checkpoint(after drafts: [RecordDraft]) -> SourceCheckpoint? {
        guard notes.movesReference, let last = drafts.last(where: { $0.kind == .location }) else { return nil }
        return track.pipeline.value.checkpoint(after: last)
    }
}

/// A reason to process a track without a new fix.
enum TrackCommand {
    /// A pause has begun: its leg ends, unless a fix or a deadline has ended it.
    case beginPause
    /// A pause has ended: that is recorded, unless a fix has done so.
    case endPause
    /// A deadline is due. If a pause has begun or recording is off everywhere, the leg ends instead: its deadline would
    /// stay due.
    case timeout
    /// Recording is off everywhere: the leg ends, unless it has ended.
    case switchOff
    /// The gate has changed: if recording is off everywhere now, the leg ends, unless it has ended.
    case gateChanged
    /// The undecided fixes are decided.
    case decideAll
    /// A recording has come to its end: undecided fixes are decided, and open events end.
    case endRecording
    /// The tracker stops: undecided fixes are decided, and that is recorded.
    case endRun

    /// Whether the state of the track is saved although there may be no record.
    var savesState: Bool {
        switch self {
        case .beginPause, .switchOff, .gateChanged, .endRun: true
        case .endPause, .timeout, .decideAll, .endRecording: false
        }
    }
}
