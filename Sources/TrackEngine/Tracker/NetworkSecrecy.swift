/// Decides when a record may name the wireless network. The network reveals the machine's location, even where a
/// position must stay hidden. A value that a lane keeps.
///
/// Where positions may be hidden, the network is named only while fixes show that the object is outside all hidden
/// areas. It is not named before the first such fix, nor when no fix has arrived for ``patience``, because the object
/// may come home without a fix. A network that was read while the object was hidden is not named until a different one
/// has been read.
struct NetworkSecrecy: Sendable, Hashable {
    /// The time after a fix during which the object counts as not hidden, in nanoseconds: 30 s.
    static let patience: Int64 = 30_000_000_000
    /// The largest difference in age between a record and the newest fix at which the current network also applies to
    /// the record.
    static let largestAge = Duration.seconds(30)

    /// Whether positions may be hidden.
    var isNeeded = false
    /// The time of the newest hidden fix. A record made late may be of that time.
    var lastHidden: Timestamp?
    /// The moment at which a fix arrived that showed the object outside all hidden areas. The moments of a recording
    /// are all equal.
    private(set) var shownAt: TrackInstant?
    /// The last network read while the object was hidden.
    private(set) var hiddenNetwork: WifiNetwork?

    /// Notes that the object is hidden, and the network it is connected to.
    mutating func hide(_ network: WifiNetwork?) {
        shownAt = nil
        hiddenNetwork = network ?? hiddenNetwork
    }

    /// Notes a fix outside all hidden areas.
    mutating func show(at moment: TrackInstant, _ network: WifiNetwork?) {
        shownAt = moment
        if let network, network != hiddenNetwork { hiddenNetwork = nil }
    }

    /// Whether a recent fix has shown that the object is not hidden.
    func isShown(at now: TrackInstant) -> Bool {
        !isNeeded || shownAt.map { now.nanoseconds(since: $0) <= Self.patience } ?? false
    }

    /// Returns the machine's status, without the network where it must stay hidden.
    func told(_ status: HostStatus?, at now: TrackInstant) -> HostStatus? {
        guard isNeeded, let network = status?.wifi else { return status }
        return isShown(at: now) && network != hiddenNetwork ? status : status?.withoutNetwork
    }
}

/// The machine's status for the records of one step.
struct SampledHost: Sendable {
    /// The status, without the network where it must stay hidden.
    let status: HostStatus?
    /// The time of the newest hidden fix.
    let lastHidden: Timestamp?
    /// The time of the newest fix.
    let newest: Timestamp?

    /// Returns the status for a record of a fix. It contains the current network, which is left out of records made
    /// late because their network is unknown.
    func status(at time: Timestamp) -> HostStatus? {
        guard status?.wifi != nil else { return status }
        let isHidden = lastHidden.map { time <= $0 } ?? false
        let isLate = newest.map { $0.duration(since: time) > NetworkSecrecy.largestAge } ?? false
        return isHidden || isLate ? status?.withoutNetwork : status
    }
}

extension SourceLane {
    /// Updates the network's secrecy from the fixes of a step.
    func noteSecrecy(_ fixes: [ReceivedFix], _ step: borrowing Step) {
        guard environment.cover != nil || environment.gate != nil, mayHide || secrecy.isNeeded else { return }
        secrecy.isNeeded = mayHide
        if let off = step.lastOff { secrecy.lastHidden = off }
        let network = environment.hostStatus()?.wifi
        if hidesPlace || step.watching != nil {
            secrecy.hide(network)
        } else if let last = fixes.last {
            secrecy.show(at: last.moment, network)
        }
        log.update { $0.secrecy = secrecy }
    }

    /// Updates the network's secrecy after the hidden areas have changed.
    func noteSecrecyNeed() {
        secrecy.isNeeded = mayHide
        log.update { $0.secrecy = secrecy }
    }

    /// Whether positions may be hidden or excluded from recording.
    private var mayHide: Bool {
        environment.cover?.hidesAnything == true || environment.gate?.dependsOnPlaces == true
    }

    /// Returns the machine's current status for the records of a step.
    func sampledHost(_ step: borrowing Step) -> SampledHost {
        let status = environment.hostStatus()
        guard status?.wifi != nil else { return SampledHost(status: status, lastHidden: nil, newest: nil) }
        secrecy.isNeeded = mayHide
        // The moments of a recording are all 0.
        let now = isLive ? environment.watch.now : TrackInstant(nanoseconds: 0)
        let isHidden = isOff || step.watching != nil || secrecy.isNeeded && hidesPlace
        return SampledHost(
            status: isHidden ? status?.withoutNetwork : secrecy.told(status, at: now), lastHidden: secrecy.lastHidden,
            newest: step.pipeline.value.latest?.time)
    }
}
