extension TrackPipeline {
    /// Processes a recorded fix at its own time, after the timers that are due before it.
    ///
    /// For a pipeline with ``TimeBase/fixTime``. A timer is due when a fix that passes the gates is later than it; a
    /// fix with a wrong date does not advance time. After the last fix call ``decideAll(decide:)``, unless the track
    /// continues later.
    ///
    /// - Parameters:
    ///   - fix: the next fix of the recording.
    ///   - wallClock: fixes dated a multiple of 1024 weeks after this time have lost count of their GPS weeks and are
    ///     corrected; `nil` leaves them unchanged.
    ///   - decide: called with each fix and decision. That of the fix itself comes after those of the timers.
    public mutating func replay(_ fix: Fix, wallClock: Timestamp? = nil, decide: (Fix, Decision) -> Void) {
        if let due = nextTimeout(before: fix, wallClock: wallClock) {
            passTimeouts(from: due, before: fix, wallClock: wallClock, decide: decide)
        }
        process(fix, at: TrackInstant(fix.time), wallClock: wallClock, decide: decide)
    }

    /// Fires all timers that are due before a fix. Never inlined, because most fixes have none.
    @inline(never)
    private mutating func passTimeouts(
        from first: TrackInstant, before fix: Fix, wallClock: Timestamp?, decide: (Fix, Decision) -> Void
    ) {
        var next: TrackInstant? = first
        while let due = next {
            timeout(at: due, decide: decide)
            next = nextTimeout(before: fix, wallClock: wallClock)
        }
    }

    /// Processes a whole recording, and decides the undecided fixes at its end. A ``Tracker`` makes the same decisions
    /// about the same fixes from a source with ``TimeBase/fixTime``.
    ///
    /// - Parameters:
    ///   - fixes: the recording, in its order. Read once.
    ///   - wallClock: fixes dated a multiple of 1024 weeks after this time have lost count of their GPS weeks and are
    ///     corrected; `nil` leaves them unchanged.
    ///   - decide: called with each fix and decision, in the order of the decisions.
    public mutating func replay(
        _ fixes: some Sequence<Fix>, wallClock: Timestamp? = nil, decide: (Fix, Decision) -> Void
    ) {
        for fix in fixes { replay(fix, wallClock: wallClock, decide: decide) }
        decideAll(decide: decide)
    }
}
