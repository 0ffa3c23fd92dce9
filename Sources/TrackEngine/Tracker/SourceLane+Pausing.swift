/// Pauses: fixes of live sources are dropped, fixes of recordings wait.
extension SourceLane {
    /// Whether fixes show the object's present position, which must stay unknown in a pause. A recording waits instead.
    var isLive: Bool { timeBase == .arrival }

    /// Whether fixes may enter the pipeline. In a pause, fixes of a live source are dropped, and fixes of a recording
    /// wait for its end.
    func mayTrack(_ fixes: [ReceivedFix]) async throws(CancellationError) -> Bool {
        guard environment.pauses.isClosed else { return true }
        if isLive {
            drop(fixes, .paused)
            return false
        }
        while environment.pauses.isClosed {
            if Task.isCancelled || isEnding { throw CancellationError() }
            await environment.pauses.waitUntilOpen()
        }
        return true
    }

    /// Counts fixes that arrived in a pause or while tracking was off. They are not reported to observers.
    func drop(_ fixes: [ReceivedFix], _ reason: RejectionReason) {
        log.update { report in
            report.fixes += fixes.count
            report.rejectionCounts.add(fixes.count, of: reason)
            if let last = fixes.last { report.lastArrival = last.wallClock }
        }
    }

    /// Whether a pause has begun since the track was last interrupted.
    var isInterruptionDue: Bool { isLive && interruptedFor != environment.pauses.count }

    /// Whether tracking is paused or off at this moment.
    var isPaused: Bool { isLive && environment.pauses.isClosed || isGateClosed }

    func interrupt(_ step: inout Step) {
        interruptedFor = environment.pauses.count
        lastCheckpoint = nil  // the store is made to forget it
        let latest = step.latest  // read before the interruption, after which the pipeline has no latest fix
        step.interrupt()
        if isPaused { tellPause(&step, at: latest) }
    }

    /// Ends the leg at the beginning of a pause: undecided fixes are decided, and no timer fires.
    func interrupt() async {
        await takeTurn()
        if isInterruptionDue {
            var step = newStep()
            interrupt(&step)
            try? await commit(step)  // cancelled while stopping: the next run continues without it
            await keepState()
        }
        leaveTurn()
    }
}
