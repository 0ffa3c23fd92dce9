/// CalmGeo's motion states with real timers: moving, still, standby, and which fix becomes a record in each.
///
/// The reference, against which distances are measured, is always the last recorded fix: it never moves without a
/// record, so travel that is too slow or too winding for the distance filter still comes to be recorded once it has
/// led the base distance away.
struct MotionStateMachine: Sendable, Hashable, BitwiseCopyable {
    /// What the thing does.
    enum Phase: Hashable, BitwiseCopyable {
        /// No fix yet. To `moving` with the first.
        case unknown
        /// Moving, recorded last at that moment. To `still` after `stillAfter` without a record, or, where that is
        /// switched off, to `standby` after `standbyAfter`.
        case moving(lastMovement: TrackInstant)
        /// At rest at the reference. To `moving` with the next record, to `standby` after `standbyAfter`.
        case still(lastMovement: TrackInstant)
        /// At rest at the reference, and the source asked to look seldom. To `moving` with a fix outside the radius.
        case standby
    }

    let rule: RecordingRule
    private var combined: CombinedRule?
    private let filter: DistanceFilter
    private let stationaryRadius: Double
    /// In nanoseconds, like ``standbyAfter``: a `Duration` would be converted for every fix.
    private let stillAfter: Int64
    private let standbyAfter: Int64
    private(set) var phase = Phase.unknown
    /// From where movement is measured, and since when: with the rule `distance` the last recorded fix, with the others
    /// the last place that the thing had certainly moved to.
    private var anchor: DistanceAnchor?
    private var referenceMoment = TrackInstant(nanoseconds: 0)
    /// The last fix that passed the gates.
    private(set) var latest: Fix?

    init(_ configuration: TrackerConfiguration) {
        rule = configuration.record
        combined = CombinedRule(configuration)
        filter = configuration.distanceRule
        stationaryRadius = configuration.stationaryRadius
        stillAfter = configuration.stillAfter.saturatedNanoseconds
        standbyAfter = configuration.standbyAfter.saturatedNanoseconds
    }

    /// What a record says besides its fix, which whoever asks has: an answer with a fix in it would cost a copy for each.
    struct Recording: Hashable, BitwiseCopyable {
        let isMoving: Bool
        let event: RecordEvent?
        let cause: RecordCause
    }

    // MARK: A fix

    /// What a fix that has passed the gates leads to.
    enum FixAction: Hashable, BitwiseCopyable {
        case record(Recording)
        case reject(RejectionReason)
        /// The thing is on its way, and the rule `deviation` is to decide.
        case offer

        /// Whether the fix certainly lies elsewhere than the last one recorded.
        var confirmsMovement: Bool {
            switch self {
            case .record(let recording): recording.cause.confirmsMovement
            case .reject, .offer: false
            }
        }
    }

    mutating func fix(_ fix: Fix, at now: TrackInstant) -> FixAction {
        latest = fix
        guard let anchor else { return move(to: fix, at: now, cause: .first) }
        switch phase {
        case .unknown, .moving, .still:
            guard rule == .distance else { return travel(to: fix, from: anchor, at: now) }
            if anchor.isFarther(fix.coordinate, than: filter.threshold(speedOrNaN: fix.numbers.speed.number)) {
                return move(to: fix, at: now, cause: .distance)
            }
            if isOverdue(at: now), anchor.isAtLeast(fix.coordinate, filter.base) {
                return move(to: fix, at: now, cause: .elapsed)
            }
            return .reject(.tooNear)
        case .standby:
            let radius = stationaryRadius + (fix.horizontalAccuracy ?? 0)
            guard anchor.isFarther(fix.coordinate, than: radius) else { return .reject(.standby) }
            return move(to: fix, at: now, cause: .departed)
        }
    }

    /// With the rules that may record without movement, movement is judged by itself: beyond the base distance and what the
    /// accuracy explains.
    private mutating func travel(to fix: Fix, from anchor: DistanceAnchor, at now: TrackInstant) -> FixAction {
        let hasMoved = anchor.isFarther(fix.coordinate, than: max(filter.base, fix.horizontalAccuracy ?? 0))
        guard isMoving else {
            return hasMoved ? move(to: fix, at: now, cause: .departed) : .reject(.tooNear)
        }
        if hasMoved {
            phase = .moving(lastMovement: now)
            refer(to: fix, at: now)
        }
        guard rule != .deviation else { return .offer }
        guard let cause = combined?.cause(of: fix, at: now) else { return .reject(.tooNear) }
        combined?.restart(at: fix, moment: now)
        return .record(Recording(isMoving: true, event: nil, cause: cause))
    }

    private func isOverdue(at now: TrackInstant) -> Bool {
        stillAfter > 0 && now > referenceMoment.advanced(byNanoseconds: stillAfter)
    }

    private mutating func move(to fix: Fix, at now: TrackInstant, cause: RecordCause) -> FixAction {
        let recording = Recording(isMoving: true, event: isMoving ? nil : .motionChange, cause: cause)
        phase = .moving(lastMovement: now)
        refer(to: fix, at: now)
        combined?.restart(at: fix, moment: now)
        return .record(recording)
    }

    private mutating func refer(to fix: Fix, at now: TrackInstant) {
        anchor = DistanceAnchor(fix.coordinate)
        referenceMoment = now
    }

    /// Whether the last record says that the thing moves.
    var isMoving: Bool {
        switch phase {
        case .moving: true
        case .unknown, .still, .standby: false
        }
    }

    /// Whether the last movement was at this moment.
    func moved(at now: TrackInstant) -> Bool {
        switch phase {
        case .moving(let lastMovement): lastMovement == now
        case .unknown, .still, .standby: false
        }
    }

    // MARK: Time

    /// When something falls due even if no fix arrives.
    var deadline: TrackInstant? {
        switch phase {
        case .unknown, .standby: nil
        case .moving(let lastMovement):
            if stillAfter > 0 {
                lastMovement.advanced(byNanoseconds: stillAfter)
            } else {
                standbyAfter > 0 ? lastMovement.advanced(byNanoseconds: standbyAfter) : nil
            }
        case .still(let lastMovement): standbyAfter > 0 ? lastMovement.advanced(byNanoseconds: standbyAfter) : nil
        }
    }

    /// What a deadline leads to.
    enum TimeAction: Hashable {
        case record(Fix, Recording)
        /// Standby began at a fix; nothing to record.
        case standby(Fix)
        /// Nothing was due.
        case none
    }

    mutating func timeout(at now: TrackInstant) -> TimeAction {
        guard let deadline, now >= deadline, let latest, let anchor else { return .none }
        switch phase {
        case .unknown, .standby: return .none
        case .moving(let lastMovement):
            if stillAfter > 0, rule == .distance, anchor.isAtLeast(latest.coordinate, filter.base) {
                return overdueMove(to: latest, at: now)
            }
            let entersStandby = stillAfter == 0
            phase = entersStandby ? .standby : .still(lastMovement: lastMovement)
            refer(to: latest, at: now)
            combined?.restart(at: latest, moment: now)
            return .record(latest, Recording(isMoving: false, event: .motionChange, cause: .still))
        case .still:
            phase = .standby
            return .standby(latest)
        }
    }

    private mutating func overdueMove(to fix: Fix, at now: TrackInstant) -> TimeAction {
        phase = .moving(lastMovement: now)
        refer(to: fix, at: now)
        return .record(fix, Recording(isMoving: true, event: nil, cause: .elapsed))
    }

    // MARK: Going on

    /// Takes up where an earlier run, or another configuration, left off.
    ///
    /// - Parameters:
    ///   - checkpoint: what was stored.
    ///   - moment: the moment of that last record on this machine's time base.
    ///   - lastMovement: the moment of the last movement on this machine's time base.
    mutating func resume(from checkpoint: SourceCheckpoint, moment: TrackInstant, lastMovement: TrackInstant) {
        refer(to: checkpoint.last.fix, at: moment)
        combined?.restart(at: checkpoint.last.fix, moment: moment)
        latest = checkpoint.last.fix
        if checkpoint.isStandby {
            phase = .standby
        } else {
            phase = checkpoint.last.isMoving ? .moving(lastMovement: lastMovement) : .still(lastMovement: lastMovement)
        }
    }

    /// The same state under another configuration.
    func reconfigured(_ configuration: TrackerConfiguration) -> MotionStateMachine {
        var next = MotionStateMachine(configuration)
        next.phase = phase
        next.anchor = anchor
        next.referenceMoment = referenceMoment
        next.latest = latest
        if let combined { next.combined = combined.reconfigured(configuration) }
        return next
    }
}

extension RecordCause {
    /// Whether a fix recorded for this cause certainly lies elsewhere than the one recorded before.
    fileprivate var confirmsMovement: Bool {
        switch self {
        case .distance, .elapsed, .departed: true
        case .first, .still, .requested, .deviation, .turn, .interval: false
        }
    }
}
