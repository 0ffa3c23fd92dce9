/// From the fixes that come to those that are used: what is hidden, and what is known better.
extension SourceLane {
    /// Where the object is by what knows better than the source; a recording tells of another time.
    var knownPosition: KnownPosition? { isLive ? environment.authority?.position : nil }

    /// What fixes are used as.
    struct UsedFixes {
        var fixes: [ReceivedFix]
        /// Whether the last of those that came may not be used.
        var endsHidden = false
        /// The known position at which the last one is used.
        var position: KnownPosition?
    }

    /// The fixes that may be used; one that is dropped is counted and shown to nobody.
    func used(_ received: [ReceivedFix], at position: KnownPosition?) -> UsedFixes {
        guard position != nil || environment.cover != nil else { return UsedFixes(fixes: received) }
        var (hidesPlace, isBehindHidden) = (false, false)
        let fixes = received.compactMap { one in
            let (fix, isHidden) = used(one.fix, at: position)
            if isHidden { (hidesPlace, secrecy.lastHidden) = (true, one.fix.time) }
            defer { isBehindHidden = fix == nil }
            return fix.map { one.with($0, isBehindHidden: isBehindHidden) }
        }
        if !received.isEmpty { self.hidesPlace = hidesPlace }
        let hidden = received.count - fixes.count
        if hidden > 0 {
            log.update { report in
                report.fixes += hidden
                report.rejectionCounts.add(hidden, of: .hidden)
                if let last = received.last { report.lastArrival = last.wallClock }
            }
        }
        let isPlaced = position != nil && fixes.last?.fix.coordinate == position?.coordinate
        return UsedFixes(fixes: fixes, endsHidden: isBehindHidden, position: isPlaced ? position : nil)
    }

    /// What a fix is used as, and whether something of where it is is hidden.
    ///
    /// The true position comes first. Where it is hidden, or nothing may be recorded, a known position must not tell that the
    /// object is there; and a known position may lie where positions are hidden.
    private func used(_ fix: Fix, at position: KnownPosition?) -> (fix: Fix?, isHidden: Bool) {
        let covered = cover(fix)
        guard covered == fix, let position, mayRecord(at: fix) else { return (covered, covered != fix) }
        let known = fix.at(position)
        let used = cover(known)
        return (used, used != known)
    }

    private func cover(_ fix: Fix) -> Fix? {
        guard let cover = environment.cover else { return fix }
        return cover.covered(fix)
    }

    private func mayRecord(at fix: Fix) -> Bool {
        guard let gate = environment.gate, gate.dependsOnPlaces else { return true }
        return gate.admits(fix, nil)
    }

    /// Begins a new leg where the object comes under another known position, or leaves one.
    func place(_ step: inout Step, at position: KnownPosition?) {
        guard position != placement else { return }
        // An earlier run may have ended there.
        if let position, step.latest?.coordinate == position.coordinate {
            placement = position
            return
        }
        placement = position
        step.relocate()
    }
}
