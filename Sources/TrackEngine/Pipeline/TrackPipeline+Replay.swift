extension TrackPipeline {
    /// Judges a recorded fix at its own time, after the timers that fall due before it.
    ///
    /// For a pipeline with ``TimeBase/fixTime``. A timer falls due when a fix that passes the gates is later than it: a
    /// fix with a wrong date moves no time. After the last fix call ``decideAll(decide:)``, unless the track goes on later.
    ///
    /// - Parameters:
    ///   - fix: the next fix of the recording.
    ///   - wallClock: fixes dated a multiple of 1024 weeks after this have lost count of their GPS weeks and are put
    ///     right; `nil` leaves them as they are.
    ///   - decide: is called with each fix and decision. That of the fix itself comes after those of the timers.
    public mutating func replay(_ fix: Fix, wallClock: Timestamp? = nil, decide: (Fix, Decision) -> Void) {
        if let due = nextTimeout(before: fix, wallClock: wallClock) {
            passTimeouts(from: due, before: fix, wallClock: wallClock, decide: decide)
        }
        process(fix, at: TrackInstant(fix.time), wallClock: wallClock, decide: decide)
    }

    /// Lets all timers fall due that do before a fix. Never inlined, because most fixes have none.
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

    /// Judges a whole recording, and decides at its end what is undecided then: the decisions that a ``Tracker`` makes
    /// about the same fixes from a source with ``TimeBase/fixTime``.
    ///
    /// - Parameters:
    ///   - fixes: the recording, in its order. Read once.
    ///   - wallClock: fixes dated a multiple of 1024 weeks after this are put right; `nil` leaves them as they are.
    ///   - decide: is called with each fix and decision, in the order of the decisions.
    public mutating func replay(
        _ fixes: some Sequence<Fix>, wallClock: Timestamp? = nil, decide: (Fix, Decision) -> Void
    ) {
        for fix in fixes { replay(fix, wallClock: wallClock, decide: decide) }
        decideAll(decide: decide)
    }
}
