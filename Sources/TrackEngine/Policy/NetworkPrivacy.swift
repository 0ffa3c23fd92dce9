/// Decides when a record may name the wireless network. The network reveals the machine's location, even where a
/// position must stay hidden. A value.
///
/// Where positions may be hidden, the network is named only while fixes show that the object is outside all hidden
/// areas. It is not named before the first such fix, nor when no fix has arrived for ``patience``, because the object
/// may come home without a fix. A network that was read while the object was hidden is not named until a different one
/// has been read.
struct NetworkPrivacy: Sendable, Hashable {
    /// The time after a fix during which the object counts as not hidden, in nanoseconds: 30 s.
    static let patience: Int64 = 30_000_000_000
    /// The largest difference in age between a record and the newest fix at which the current network also applies to
    /// the record.
    static let largestAge = Duration.seconds(30)

    /// Whether positions may be hidden.
    var isLimited = false
    /// Whether the object's position is hidden, as far as known; `true` until a fix has shown otherwise.
    private(set) var isHidden: Bool
    /// The time of the newest hidden fix. A record made late may be of that time.
    private(set) var lastHidden: Timestamp?
    /// The moment at which a fix arrived that showed the object outside all hidden areas. The moments of a recording
    /// are all equal.
    private(set) var shownAt: TrackInstant?
    /// The last network read while the object was hidden.
    private(set) var hiddenNetwork: WifiNetwork?

    /// Begins without a fix.
    init(isHidden: Bool = false) { self.isHidden = isHidden }

    /// Notes the fixes of a step, before it is stored: what is known of them holds in any case. Returns whether the
    /// network's disclosure may have changed.
    mutating func note(
        _ admitted: PolicyOutcome, _ step: borrowing TrackStep, _ environment: SourceProcessorEnvironment
    ) -> Bool {
        isHidden = admitted.isHidden ?? isHidden
        lastHidden = admitted.lastHidden ?? lastHidden
        let mayHide = environment.rules.mayHide
        guard mayHide || isLimited else { return false }
        isLimited = mayHide
        lastHidden = step.notes.lastOff ?? lastHidden
        let network = environment.hostStatus()?.wifi
        if isHidden || step.track.policy.isAtOffPlace {
            hide(network)
        } else if let last = admitted.fixes.last {
            show(at: last.moment, network)
        }
        return true
    }

    /// Notes that the hidden areas have changed: whether they hide the object is unknown until the next fix.
    mutating func rulesChanged(_ environment: SourceProcessorEnvironment) {
        isHidden = environment.rules.hidesAnything
        hide(environment.hostStatus()?.wifi)
    }

    private mutating func hide(_ network: WifiNetwork?) {
        shownAt = nil
        hiddenNetwork = network ?? hiddenNetwork
    }

    private mutating func show(at moment: TrackInstant, _ network: WifiNetwork?) {
        shownAt = moment
        if let network, network != hiddenNetwork { hiddenNetwork = nil }
    }

    /// Whether a recent fix has shown that the object is not hidden.
    func isShown(at now: TrackInstant) -> Bool {
        !isLimited || shownAt.map { now.nanoseconds(since: $0) <= Self.patience } ?? false
    }

    /// Returns the machine's current status for the records of a step.
    ///
    /// - Parameters:
    ///   - isOff: whether recording is off, everywhere or at the object's place.
    ///   - newest: the time of the newest fix.
    mutating func sample(_ environment: SourceProcessorEnvironment, isOff: Bool, newest: Timestamp?) -> HostReading {
        let status = environment.hostStatus()
        guard status?.wifi != nil else { return HostReading(status: status, lastHidden: nil, newest: nil) }
        isLimited = environment.rules.mayHide
        // The moments of a recording are all 0.
        let now = environment.rules.isLive ? environment.watch.now : TrackInstant(nanoseconds: 0)
        return HostReading(
            status: isOff || isLimited && isHidden ? status?.withoutNetwork : disclosed(status, at: now),
            lastHidden: lastHidden, newest: newest)
    }

    /// Returns the machine's status, without the network where it must stay hidden.
    func disclosed(_ status: HostStatus?, at now: TrackInstant) -> HostStatus? {
        guard isLimited, let network = status?.wifi else { return status }
        return isShown(at: now) && network != hiddenNetwork ? status : status?.withoutNetwork
    }
}

/// The machine's status for the records of one step.
struct HostReading: Sendable {
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
        let isLate = newest.map { $0.duration(since: time) > NetworkPrivacy.largestAge } ?? false
        return isHidden || isLate ? status?.withoutNetwork : status
    }
}
