/// Tracking that is off: the treatment of fixes that must not be recorded.
extension SourceLane {
    /// Whether recording of this source, a live one, is off everywhere at this moment.
    var isGateClosed: Bool { isLive && environment.gate?.isClosed == true }

    /// Whether recording is off at this moment.
    var isOff: Bool { watching != nil || isGateClosed }

    /// Ends the leg if fixes must not be recorded now. Returns whether that is the case.
    func closesTrack(at newest: ReceivedFix?) async throws(CancellationError) -> Bool {
        guard isLive, let gate = environment.gate, let newest, gate.isClosed(at: newest) else { return false }
        if !isTrackClosed { try await closeTrack() }
        return true
    }

    /// Ends the leg: undecided fixes are decided, and no timer fires.
    private func closeTrack() async throws(CancellationError) {
        isTrackClosed = true
        var step = newStep()
        step.endWatching()
        step.interrupt()
        lastCheckpoint = nil  // the store is made to forget it
        try await commit(step)
        await keepState()
    }

    /// Handles a change of the gate: ends the leg, and updates the source's demand.
    func gateChanged() async {
        await takeTurn()
        // Cancelled while stopping: the next run begins closed.
        if isGateClosed {
            if !isTrackClosed { try? await closeTrack() }
        } else if !mayRecordHere {
            // Undecided fixes may lie at such a place: they must not be recorded now.
            beginOffWhereKept()
        } else {
            watching = nil
        }
        noteSecrecyNeed()
        show(pipeline.value.summary())
        leaveTurn()
    }

    /// Processes fixes. Where recording depends on places, each fix is checked before it may become a record.
    func judge(_ fixes: [ReceivedFix], _ step: inout Step) {
        isTrackClosed = false
        guard let gate = environment.gate, gate.dependsOnPlaces else {
            if watching != nil { step.endWatching() }
            for fix in fixes { step.process(fix, timeBase: timeBase) }
            return
        }
        for fix in fixes { step.process(fix, timeBase: timeBase, admits: gate.admits) }
    }

    /// Whether recording is allowed at the object's latest position, as far as that is known.
    private var mayRecordHere: Bool {
        guard let gate = environment.gate, gate.dependsOnPlaces else { return true }
        return gate.admits(pipeline.value.latest, detection?.value.context)
    }

    /// Begins in the off state if the object is at such a place by the state of an earlier run.
    func beginOffWhereKept() {
        guard watching == nil, !mayRecordHere else { return }
        watching = pipeline
        pipeline.value.interrupt { _, _ in }
        show(pipeline.value.summary())
    }

    /// Notifies the gate of the object's context if it has changed.
    func tellGate() {
        guard let gate = environment.gate else { return }
        let context = detection?.value.context
        guard context != toldContext else { return }
        toldContext = context
        gate.note(context, of: source.id)
    }
}

extension SourceLane.Step {
    /// Processes a fix that may be recorded only if `admits` allows it, once the fix's place is known.
    ///
    /// Tries the fix on copies: a fix that must not be recorded changes only the set of places in which the object is.
    mutating func process(_ received: ReceivedFix, timeBase: TimeBase, admits: (Fix?, RecordContext?) -> Bool) {
        if received.isBehindHidden { conceal() }
        guard var witness = detection else { return process(received, timeBase: timeBase) }
        var tried = watching ?? pipeline
        let before = tried.value.latest
        switch timeBase {
        case .arrival: tried.value.process(received.fix, at: received.moment, wallClock: received.wallClock) { _, _ in }
        case .fixTime: tried.value.replay(received.fix, wallClock: received.wallClock) { _, _ in }
        }
        let passes = tried.value.latest != before
        if let fix = tried.value.latest, passes {
            witness.value.witness(
                ObservedFix(fix: fix, isMoving: false, odometer: pipeline.value.odometer, beginsLeg: watching != nil))
        }
        guard !admits(received.fix, witness.value.context) else {
            endWatching()
            return process(received, timeBase: timeBase)
        }
        // A fix that the gates reject does not show where the object is, and ends no leg.
        if passes { beginWatching() }
        watch(passes ? tried : watching, witness, at: received.fix.time)
    }
}
