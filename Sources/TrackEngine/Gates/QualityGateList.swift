/// The gates before the filter: each rejects a fix for one reason, in the order of ``RejectionReason``.
///
/// Only the first three (invalid coordinate, null island, duplicate or backward time) are on by default.
struct QualityGateList: Sendable, Hashable, BitwiseCopyable {
    private let minimumAccuracy: Double?
    private let minimumSatellites: UInt8?
    private let speed: SpeedGate?
    /// In nanoseconds, like ``maximumLead``: a `Duration` would be converted for every fix.
    private let maximumAge: Int64?
    private let maximumLead: Int64?
    private let timeBase: TimeBase
    /// Holds back distant positions until they are confirmed.
    private var jump: JumpGate?
    /// The reference that fixes are compared with.
    private var reference = GateReference()
    private var axes = AxisMonitor()
    /// The moment since which every fix has been older than the reference; live sources only.
    private var backwardSince: TrackInstant?

    /// The time of only backward fixes after which a live receiver is taken to have corrected its clock.
    private static let clockCorrection: Int64 = 60_000_000_000

    init(_ configuration: RecordingConfiguration, timeBase: TimeBase) {
        minimumAccuracy = configuration.minimumAccuracy
        minimumSatellites = configuration.minimumSatellites.map(UInt8.init(clamping:))
        speed = SpeedGate(configuration)
        jump = JumpGate(configuration)
        maximumAge = configuration.maximumAge.map(\.saturatedNanoseconds)
        maximumLead = configuration.maximumLead.map(\.saturatedNanoseconds)
        self.timeBase = timeBase
    }

    /// The values of the last fix that passed.
    var last: ReferenceFix? { reference.passage }

    /// Continues after a fix that passed in an earlier run.
    mutating func resume(after fix: Fix, isAhead: Bool) {
        reference = GateReference(resumed: fix, isAhead: isAhead)
    }

    /// Allows any distance for the next fix.
    mutating func relocate() { reference.relocate() }

    /// Returns the same state under another configuration.
    func reconfigured(_ configuration: RecordingConfiguration) -> QualityGateList {
        var next = QualityGateList(configuration, timeBase: timeBase)
        (next.reference, next.backwardSince, next.axes) = (reference, backwardSince, axes)
        if let jump { next.jump?.goOn(from: jump) }
        return next
    }

    /// Returns the gates' verdict on a fix. A fix that passes becomes the reference for later ones.
    ///
    /// - Parameters:
    ///   - now: the moment of arrival on the pipeline's time base.
    ///   - wallClock: the machine's own time, for live fixes; without it no fix is stale or future.
    mutating func verdict(on fix: Fix, now: TrackInstant, wallClock: Timestamp?) -> GateDecision {
        if let reason = refusalOfPlace(fix) { return .refused(reason) }
        if let last, fix.time <= last.time { return verdictOnEarlier(fix, than: last, now: now, wallClock: wallClock) }
        if let reason = refusalOfQuality(fix, wallClock: wallClock) { return .refused(reason) }
        if reference.hasPassed(fix.time) { return .refused(.duplicateTime) }
        if let speed, let last, speed.refuses(fix, after: last) { return verdictOnUnreachable(fix) }
        if jump != nil, let last, isHeldBack(fix, after: last) { return .refused(.unconfirmedJump) }
        reference.advance(to: fix)
        if axes.isCounting { axes = AxisMonitor() }
        backwardSince = nil
        return .passes
    }

    @inline(__always)  // as a call it would copy all of the gates, for every fix
    private mutating func refusalOfPlace(_ fix: Fix) -> RejectionReason? {
        if !fix.coordinate.isValid { return .invalidCoordinate }
        let place = fix.coordinate
        if place.isOnAxis, hasLostAxis(fix) { return .nullIsland }
        return nil
    }

    @inline(never)
    private mutating func hasLostAxis(_ fix: Fix) -> Bool {
        axes.hasLostAxis(fix, after: last, votes: reference.votes, maximumSpeed: speed?.maximum)
    }

    @inline(__always)
    private func refusalOfQuality(_ fix: Fix, wallClock: Timestamp?) -> RejectionReason? {
        if let wallClock, let reason = refusalOfAge(fix, wallClock: wallClock) { return reason }
        if let minimumAccuracy, let accuracy = fix.horizontalAccuracy, accuracy > minimumAccuracy { return .inaccurate }
        if let minimumSatellites, let used = fix.satellitesUsed, used < minimumSatellites { return .inaccurate }
        return nil
    }

    @inline(__always)
    private func refusalOfAge(_ fix: Fix, wallClock: Timestamp) -> RejectionReason? {
        if let maximumAge, wallClock.nanoseconds(since: fix.time) > maximumAge { return .stale }
        if let maximumLead, fix.time.nanoseconds(since: wallClock) > maximumLead { return .future }
        return nil
    }

    /// Returns the verdict on a fix that is not later than the reference. It passes if it replaces the reference, or if
    /// a live receiver has corrected its clock.
    @inline(never)
    private mutating func verdictOnEarlier(
        _ fix: Fix, than last: ReferenceFix, now: TrackInstant, wallClock: Timestamp?
    ) -> GateDecision {
        if fix.time == last.time { return .refused(.duplicateTime) }
        let isCorrection = isClockCorrection(at: now)
        if let reason = refusalOfQuality(fix, wallClock: wallClock) {
            return .refused(isCorrection ? reason : .backwardTime)
        }
        guard reference.isOutvoted(by: fix, maximumSpeed: speed?.maximum) || isCorrection else {
            return .refused(.backwardTime)
        }
        restart(at: fix)
        return .passes
    }

    private mutating func isClockCorrection(at now: TrackInstant) -> Bool {
        guard timeBase == .arrival else { return false }
        let since = backwardSince ?? now
        backwardSince = since
        return now.nanoseconds(since: since) >= Self.clockCorrection
    }

    @inline(never)
    private mutating func verdictOnUnreachable(_ fix: Fix) -> GateDecision {
        guard reference.isOutvoted(by: fix, maximumSpeed: speed?.maximum) else { return .refused(.implausibleSpeed) }
        restart(at: fix)
        return .passesBesideOutlier
    }

    @inline(never)
    private mutating func isHeldBack(_ fix: Fix, after last: ReferenceFix) -> Bool {
        guard jump?.holds(fix, after: last) ?? false else { return false }
        return !reference.isOutvoted(by: fix, maximumSpeed: speed?.maximum)
    }

    private mutating func restart(at fix: Fix) {
        reference.restart(at: fix)
        axes = AxisMonitor()
        backwardSince = nil
    }
}

/// The verdict of the gates on a fix.
enum GateDecision: Hashable, BitwiseCopyable {
    case passes
    /// The fix passes, and its reference was an outlier: the object never travelled from there to here.
    case passesBesideOutlier
    case refused(RejectionReason)
}

/// The values of a fix that later fixes are compared with: a fifth of a fix, because it is kept for every one.
struct ReferenceFix: Sendable, Hashable, BitwiseCopyable {
    let time: Timestamp
    let coordinate: Coordinate
    let horizontalAccuracy: Double?

    init(_ fix: Fix) {
        time = fix.time
        coordinate = fix.coordinate
        horizontalAccuracy = fix.horizontalAccuracy
    }

    private init(anywhereAt time: Timestamp, near coordinate: Coordinate) {
        (self.time, self.coordinate, horizontalAccuracy) = (time, coordinate, .infinity)
    }

    /// The same time at an unknown position.
    var anywhere: ReferenceFix { ReferenceFix(anywhereAt: time, near: coordinate) }

    /// Whether the position is unknown: then the distance to a later fix has no meaning.
    var isAnywhere: Bool { horizontalAccuracy == .infinity }

    /// The metres to the line on which a fix lies: the equator, or the meridian of Greenwich.
    func distance(toAxisOf later: Fix) -> Double {
        let line = Coordinate(
            latitude: later.coordinate.latitude == 0 ? 0 : coordinate.latitude,
            longitude: later.coordinate.longitude == 0 ? 0 : coordinate.longitude)
        return coordinate.distance(to: line)
    }

    /// Returns the speed from this position to a later fix, in m/s; the distance explained by both accuracies is
    /// subtracted.
    func impliedSpeed(to later: Fix) -> Double { impliedSpeed(to: ReferenceFix(later)) }

    /// Returns the speed from this position to a later one.
    func impliedSpeed(to later: ReferenceFix) -> Double {
        let noise = (horizontalAccuracy ?? 0) + (later.horizontalAccuracy ?? 0)
        let distance = max(0, coordinate.distance(to: later.coordinate) - noise)
        let seconds = Double(later.time.nanoseconds(since: time)) / 1e9
        return seconds > 0 ? distance / seconds : 0
    }
}
