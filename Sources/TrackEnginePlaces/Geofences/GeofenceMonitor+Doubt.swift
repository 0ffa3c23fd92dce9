import TrackEngine

extension GeofenceMonitor {
    /// The decision about a fix.
    enum Decision {
        /// The fix counts.
        case isBelieved
        /// The fix requires an impossible speed: the next one decides.
        case isWild
        /// The fix counts, and so does the doubtful one before it.
        case confirms(SavedFix)
    }

    /// Evaluates a fix with those before it.
    ///
    /// | from the last fix that counts | from the doubtful fix | result |
    /// |---|---|---|
    /// | reachable, or there is none | | believed; the doubtful fix was wild |
    /// | not reachable | reachable | confirms the doubtful fix |
    /// | not reachable | not reachable, or there is none | doubtful itself |
    ///
    /// The beginning of a leg is always believed, because the object may have been moved while it was not tracked.
    func judge(_ here: SavedFix, beginsLeg: Bool) -> Decision {
        guard !beginsLeg, let last, !canReach(here, from: last) else { return .isBelieved }
        if let doubtful, canReach(here, from: doubtful) { return .confirms(doubtful) }
        return .isWild
    }

    /// Whether the maximum speed suffices for the distance less both accuracies. A fix that is not later always
    /// passes.
    private func canReach(_ here: SavedFix, from last: SavedFix) -> Bool {
        let span = here.time.duration(since: last.time)
        guard span > .zero else { return true }
        let reach = configuration.maximumSpeed * span.inSeconds + accuracy(last.accuracy) + accuracy(here.accuracy)
        return last.point.squaredChord(to: here.point) <= reach * reach
    }
}
