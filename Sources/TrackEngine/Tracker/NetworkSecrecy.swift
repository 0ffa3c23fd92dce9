/// When the wireless network may be named: it tells where the machine is, also where a position must not. A value: a lane keeps it.
///
/// Where positions may be hidden, the network is named while fixes show that the object is where nothing is hidden, and not
/// before the first of them, nor when none has come for ``patience``: an object that comes home without a fix is at home all
/// the same. A network that was read while the object was hidden is not named before another one was read.
struct NetworkSecrecy: Sendable, Hashable {
    /// How long after a fix it is known that nothing is hidden, in nanoseconds: 30 s.
    static let patience: Int64 = 30_000_000_000
    /// How much older than the newest fix a record may be for the network of now to be that of its time.
    static let largestAge = Duration.seconds(30)

    /// Whether positions may be hidden.
    var isNeeded = false
    /// The time of the newest fix that is hidden: what is recorded late may be of then.
    var lastHidden: Timestamp?
    /// When a fix was received that showed the object where nothing is hidden; the moments of a recording are all the same.
    private(set) var shownAt: TrackInstant?
    /// The network that was read last while the object was hidden.
    private(set) var hiddenNetwork: WifiNetwork?

    /// The object is hidden, and connected to a network.
    mutating func hide(_ network: WifiNetwork?) {
        shownAt = nil
        hiddenNetwork = network ?? hiddenNetwork
    }

    /// A fix shows the object where nothing is hidden.
    mutating func show(at moment: TrackInstant, _ network: WifiNetwork?) {
        shownAt = moment
        if let network, network != hiddenNetwork { hiddenNetwork = nil }
    }

    /// Whether a fix has shown lately that nothing is hidden.
    func isShown(at now: TrackInstant) -> Bool {
        !isNeeded || shownAt.map { now.nanoseconds(since: $0) <= Self.patience } ?? false
    }

    /// What may be told of the machine.
    func told(_ status: HostStatus?, at now: TrackInstant) -> HostStatus? {
        guard isNeeded, let network = status?.wifi else { return status }
        return isShown(at: now) && network != hiddenNetwork ? status : status?.withoutNetwork
    }
}

/// What the machine knows of itself, as records may say it.
struct SampledHost: Sendable {
    /// What may be told.
    let status: HostStatus?
    /// The time of the newest fix that is hidden.
    let lastHidden: Timestamp?
    /// The time of the newest fix.
    let newest: Timestamp?

    /// What a record of a fix says. The network is that of now, and of what was recorded late nobody knows it.
    func status(at time: Timestamp) -> HostStatus? {
        guard status?.wifi != nil else { return status }
        let isHidden = lastHidden.map { time <= $0 } ?? false
        let isLate = newest.map { $0.duration(since: time) > NetworkSecrecy.largestAge } ?? false
        return isHidden || isLate ? status?.withoutNetwork : status
    }
}

extension SourceLane {
    /// Notes what the fixes of a step have shown of where the object is.
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

    /// Other positions may be hidden from now on, or none.
    func noteSecrecyNeed() {
        secrecy.isNeeded = mayHide
        log.update { $0.secrecy = secrecy }
    }

    /// Whether positions may be hidden, or not recorded.
    private var mayHide: Bool {
        environment.cover?.hidesAnything == true || environment.gate?.dependsOnPlaces == true
    }

    /// What the machine knows of itself now, for the records of a step.
    func sampledHost(_ step: borrowing Step) -> SampledHost {
        let status = environment.hostStatus()
        guard status?.wifi != nil else { return SampledHost(status: status, lastHidden: nil, newest: nil) }
        secrecy.isNeeded = mayHide
        // A recording's moments are all 0.
        let now = isLive ? environment.watch.now : TrackInstant(nanoseconds: 0)
        let isHidden = isOff || step.watching != nil || secrecy.isNeeded && hidesPlace
        return SampledHost(
            status: isHidden ? status?.withoutNetwork : secrecy.told(status, at: now), lastHidden: secrecy.lastHidden,
            newest: step.pipeline.value.latest?.time)
    }
}
