import TrackEngine

extension GeofenceMonitor {
    /// Whether a fix counts.
    enum Judgement {
        /// It does.
        case isBelieved
        /// It needs a speed that nothing has: the next one decides.
        case isWild
        /// It does, and so does the doubtful one before it.
        case confirms(LastFix)
    }

    /// Judges a fix by those before it.
    ///
    /// | from the last one that counts | from the doubtful one | it |
    /// |---|---|---|
    /// | can be reached, or there is none | | is believed; the doubtful one was wild |
    /// | cannot | can be reached | confirms the doubtful one |
    /// | cannot | cannot, or there is none | is in doubt itself |
    ///
    /// The beginning of a leg is always believed, since the object may have been carried while nobody looked.
    func judge(_ here: LastFix, beginsLeg: Bool) -> Judgement {
        guard !beginsLeg, let last, !canReach(here, from: last) else { return .isBelieved }
        if let doubtful, canReach(here, from: doubtful) { return .confirms(doubtful) }
        return .isWild
    }

    /// Whether anything travels as fast as that, both fixes being as wrong as they may. Whose clock went back is not judged.
    private func canReach(_ here: LastFix, from last: LastFix) -> Bool {
        let span = here.time.duration(since: last.time)
        guard span > .zero else { return true }
        let reach = configuration.maximumSpeed * span.inSeconds + accuracy(last.accuracy) + accuracy(here.accuracy)
        return last.point.squaredChord(to: here.point) <= reach * reach
    }
}
