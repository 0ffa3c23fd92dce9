/// From received fixes to used ones: hidden positions and known positions.
extension SourceLane {
    /// The object's known position, which overrides the source; absent in a recording, which is of another time.
    var knownPosition: KnownPosition? { isLive ? environment.authority?.position : nil }

    /// The received fixes in the form in which they are used.
    struct UsedFixes {
        var fixes: [ReceivedFix]
        /// Whether the last received fix must not be used.
        var endsHidden = false
        /// The known position at which the last fix is used.
        var position: KnownPosition?
    }

    /// Returns the fixes that may be used. A dropped fix is counted but not reported to observers.
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

    /// Returns the form in which a fix is used, and whether part of its position is hidden.
    ///
    /// The true position is checked first. If it is hidden, or must not be recorded, the known position must not reveal
    /// the object's presence. The known position itself may lie in a hidden area, too.
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

    /// Begins a new leg where the object enters or leaves a known position.
    func place(_ step: inout Step, at position: KnownPosition?) {
        guard position != placement else { return }
        // An earlier run may have ended at this position.
        if let position, step.latest?.coordinate == position.coordinate {
            placement = position
            return
        }
        placement = position
        step.relocate()
    }
}
