/// From the fixes that come to those that are used: what is hidden, and what is known better.
extension SourceLane {
    /// Where the object is by what knows better than the source; a recording tells of another time.
    var knownPosition: KnownPosition? { isLive ? environment.authority?.position : nil }

    /// The fixes that may be used; one that is dropped is counted and shown to nobody.
    func used(_ received: [ReceivedFix], at position: KnownPosition?) -> [ReceivedFix] {
        guard position != nil || environment.cover != nil else { return received }
        var hidesPlace = false
        let fixes = received.compactMap { one in
            let (fix, isHidden) = used(one.fix, at: position)
            if isHidden { (hidesPlace, lastHidden) = (true, one.fix.time) }
            return fix.map { one.with($0) }
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
        return fixes
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

    /// What the machine knows of itself now.
    var sampledHost: SampledHost {
        SampledHost(status: environment.hostStatus(), hidesPlace: hidesPlace, lastHidden: lastHidden)
    }
}

/// What the machine knows of itself, as records may say it: a network tells where it is, so none is named where that is hidden.
struct SampledHost: Sendable {
    let status: HostStatus?
    /// Whether where the machine is is hidden.
    let hidesPlace: Bool
    /// The time of the newest fix that was hidden: what is recorded late may be of then.
    let lastHidden: Timestamp?

    /// What a record of a fix says.
    func status(at time: Timestamp) -> HostStatus? {
        hidesPlace || lastHidden.map { time <= $0 } == true ? status?.withoutNetwork : status
    }
}
