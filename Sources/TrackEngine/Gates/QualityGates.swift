/// The gates before the filter: each refuses a fix for one reason, in the order of ``RejectionReason``.
///
/// Only the first three (invalid coordinate, null island, duplicate or backward time) are on by default.
struct QualityGates: Sendable, Hashable, BitwiseCopyable {
    private let minimumAccuracy: Double?
    private let maximumSpeed: Double?
    /// In nanoseconds, like ``maximumLead``: a `Duration` would be converted for every fix.
    private let maximumAge: Int64?
    private let maximumLead: Int64?
    private let timeBase: TimeBase
    /// What fixes are measured against; absent before the first.
    private var reference: GateReference?
    /// Since when every fix has been older than the reference; live sources only.
    private var backwardSince: TrackInstant?

    /// After this long of nothing but earlier times, a live receiver is believed to have put its clock right.
    private static let clockCorrection: Int64 = 60_000_000_000

    init(_ configuration: TrackerConfiguration, timeBase: TimeBase) {
        minimumAccuracy = configuration.minimumAccuracy
        maximumSpeed = configuration.maximumSpeed
        maximumAge = configuration.maximumAge.map(\.saturatedNanoseconds)
        maximumLead = configuration.maximumLead.map(\.saturatedNanoseconds)
        self.timeBase = timeBase
    }

    /// What the last fix that passed said.
    var last: Passage? { reference?.passage }

    /// Goes on behind a fix that an earlier run let through.
    mutating func resume(after fix: Fix, isAhead: Bool) {
        reference = GateReference(resumed: fix, isAhead: isAhead)
    }

    /// The same state under another configuration.
    func reconfigured(_ configuration: TrackerConfiguration) -> QualityGates {
        var next = QualityGates(configuration, timeBase: timeBase)
        (next.reference, next.backwardSince) = (reference, backwardSince)
        return next
    }

    /// The reason to refuse a fix, or `nil`: then it has passed and later ones are measured against it.
    ///
    /// - Parameters:
    ///   - now: the moment of arrival on the pipeline's time base.
    ///   - wallClock: the machine's own time, for live fixes; without it no fix is stale or future.
    mutating func refusal(of fix: Fix, now: TrackInstant, wallClock: Timestamp?) -> RejectionReason? {
        if let reason = refusalOfPlace(fix) { return reason }
        if let last, fix.time <= last.time { return refusalOfEarlier(fix, than: last, now: now, wallClock: wallClock) }
        if let reason = refusalOfQuality(fix, wallClock: wallClock) { return reason }
        guard let last else {
            reference = GateReference(first: fix)
            return nil
        }
        if reference?.hasPassed(fix.time) ?? false { return .duplicateTime }
        if let maximumSpeed, last.impliedSpeed(to: fix) > maximumSpeed { return refusalOfUnreachable(fix) }
        reference?.advance(to: fix)
        backwardSince = nil
        return nil
    }

    private func refusalOfPlace(_ fix: Fix) -> RejectionReason? {
        if !fix.coordinate.isValid { return .invalidCoordinate }
        if fix.coordinate.isNullIsland { return .nullIsland }
        return nil
    }

    private func refusalOfQuality(_ fix: Fix, wallClock: Timestamp?) -> RejectionReason? {
        if let wallClock, let reason = refusalOfAge(fix, wallClock: wallClock) { return reason }
        if let minimumAccuracy, let accuracy = fix.horizontalAccuracy, accuracy > minimumAccuracy { return .inaccurate }
        return nil
    }

    private func refusalOfAge(_ fix: Fix, wallClock: Timestamp) -> RejectionReason? {
        if let maximumAge, wallClock.nanoseconds(since: fix.time) > maximumAge { return .stale }
        if let maximumLead, fix.time.nanoseconds(since: wallClock) > maximumLead { return .future }
        return nil
    }

    /// A fix that is not later than the reference passes where it wins over it, or where a live receiver has put its clock
    /// right.
    @inline(never)
    private mutating func refusalOfEarlier(
        _ fix: Fix, than last: Passage, now: TrackInstant, wallClock: Timestamp?
    ) -> RejectionReason? {
        if fix.time == last.time { return .duplicateTime }
        let isCorrection = isClockCorrection(at: now)
        if let reason = refusalOfQuality(fix, wallClock: wallClock) { return isCorrection ? reason : .backwardTime }
        guard reference?.isOutvoted(by: fix, maximumSpeed: maximumSpeed) ?? false || isCorrection else {
            return .backwardTime
        }
        restart(at: fix)
        return nil
    }

    private mutating func isClockCorrection(at now: TrackInstant) -> Bool {
        guard timeBase == .arrival else { return false }
        let since = backwardSince ?? now
        backwardSince = since
        return now.nanoseconds(since: since) >= Self.clockCorrection
    }

    @inline(never)
    private mutating func refusalOfUnreachable(_ fix: Fix) -> RejectionReason? {
        guard reference?.isOutvoted(by: fix, maximumSpeed: maximumSpeed) ?? false else { return .implausibleSpeed }
        restart(at: fix)
        return nil
    }

    private mutating func restart(at fix: Fix) {
        reference?.restart(at: fix)
        backwardSince = nil
    }
}

/// What later fixes are measured against: a fifth of a fix, because it is kept for every one.
struct Passage: Sendable, Hashable, BitwiseCopyable {
    let time: Timestamp
    let coordinate: Coordinate
    let horizontalAccuracy: Double?

    init(_ fix: Fix) {
        time = fix.time
        coordinate = fix.coordinate
        horizontalAccuracy = fix.horizontalAccuracy
    }

    /// The speed at which this place leads to a later fix, in m/s; what both accuracies explain is not counted.
    func impliedSpeed(to later: Fix) -> Double {
        let noise = (horizontalAccuracy ?? 0) + (later.horizontalAccuracy ?? 0)
        let distance = max(0, coordinate.distance(to: later.coordinate) - noise)
        let seconds = Double(later.time.nanoseconds(since: time)) / 1e9
        return seconds > 0 ? distance / seconds : 0
    }
}
