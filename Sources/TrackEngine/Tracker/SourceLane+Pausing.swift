/// Pauses: fixes of live sources are dropped, those of a recording wait.
extension SourceLane {
    /// Whether what comes in is where the object is now, which is not to be known in a pause. A recording waits instead.
    var isLive: Bool { timeBase == .arrival }

    /// Whether fixes may go on to the pipeline: those of a live source are dropped in a pause, those of a recording wait
    /// for its end.
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

    /// Counts fixes that came in a pause, or while tracking is off. Nobody is shown them.
    func drop(_ fixes: [ReceivedFix], _ reason: RejectionReason) {
        log.update { report in
            report.fixes += fixes.count
            report.rejectionCounts.add(fixes.count, of: reason)
            if let last = fixes.last { report.lastArrival = last.wallClock }
        }
    }

    /// Whether a pause has begun after which the track has not been interrupted.
    var isInterruptionDue: Bool { isLive && interruptedFor != environment.pauses.count }

    /// Whether nothing is to be tracked at this moment.
    var isPaused: Bool { isLive && environment.pauses.isClosed || isGateClosed }

    func interrupt(_ step: inout Step) {
        interruptedFor = environment.pauses.count
        lastCheckpoint = nil  // the store is told to forget it
        let latest = step.latest  // afterwards the pipeline tells none: it is not where the object is
        step.interrupt()
        if isPaused { tellPause(&step, at: latest) }
    }

    /// Ends the leg at the beginning of a pause: what is undecided is recorded, and no timer falls due.
    func interrupt() async {
        await takeTurn()
        if isInterruptionDue {
            var step = newStep()
            interrupt(&step)
            try? await commit(step)  // cancelled while stopping: the next run goes on without it
            await keepState()
        }
        leaveTurn()
    }
}
