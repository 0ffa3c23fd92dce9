/// Tracking that is off: what becomes of fixes that must not be recorded.
extension SourceLane {
    /// Whether nothing of a live source may be recorded now, at any place.
    var isGateClosed: Bool { isLive && environment.gate?.isClosed == true }

    /// Whether nothing is recorded at this moment.
    var isOff: Bool { watching != nil || isGateClosed }

    /// Ends the leg where fixes must not be recorded now; returns whether that is so.
    func closesTrack(at newest: ReceivedFix?) async throws(CancellationError) -> Bool {
        guard isLive, let gate = environment.gate, let newest, gate.isClosed(at: newest) else { return false }
        if !isTrackClosed { try await closeTrack() }
        return true
    }

    /// Ends the leg: what is undecided is recorded, and no timer falls due.
    private func closeTrack() async throws(CancellationError) {
        isTrackClosed = true
        var step = newStep()
        step.endWatching()
        step.interrupt()
        lastCheckpoint = nil  // the store is told to forget it
        try await commit(step)
        await keepState()
    }

    /// The gate has been closed or opened: ends the leg, and asks the source for as many fixes as are needed now.
    func gateChanged() async {
        await takeTurn()
        // Cancelled while stopping: the next run begins closed.
        if isGateClosed {
            if !isTrackClosed { try? await closeTrack() }
        } else if !mayRecordHere {
            // What is undecided may lie at the place: it must not be recorded now.
            beginOffWhereKept()
        } else {
            watching = nil
        }
        noteSecrecyNeed()
        show(pipeline.value.summary())
        leaveTurn()
    }

    /// Judges fixes. Where recording may end at places, each is looked at before it may become a record.
    func judge(_ fixes: [ReceivedFix], _ step: inout Step) {
        isTrackClosed = false
        guard let gate = environment.gate, gate.dependsOnPlaces else {
            if watching != nil { step.endWatching() }
            for fix in fixes { step.process(fix, timeBase: timeBase) }
            return
        }
        for fix in fixes { step.process(fix, timeBase: timeBase, admits: gate.admits) }
    }

    /// Whether the object is at no place at which it must not be recorded, as far as that is known.
    private var mayRecordHere: Bool {
        guard let gate = environment.gate, gate.dependsOnPlaces else { return true }
        return gate.admits(pipeline.value.latest, detection?.value.context)
    }

    /// Begins off where the object is at such a place by what an earlier run knew.
    func beginOffWhereKept() {
        guard watching == nil, !mayRecordHere else { return }
        watching = pipeline
        pipeline.value.interrupt { _, _ in }
        show(pipeline.value.summary())
    }

    /// Tells the gate what is known of the object, if that is something new.
    func tellGate() {
        guard let gate = environment.gate else { return }
        let context = detection?.value.context
        guard context != toldContext else { return }
        toldContext = context
        gate.note(context, of: source.id)
    }
}

extension SourceLane.Step {
    /// Judges a fix that may be recorded only where `admits` says so, once its place is known.
    ///
    /// What is tried is tried on copies: a fix that must not be recorded leaves nothing behind but in what places the object is.
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
        // A fix that the gates refuse says nothing of where the object is, and ends no leg.
        if passes { beginWatching() }
        watch(passes ? tried : watching, witness, at: received.fix.time)
    }
}
