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

    private let filter: DistanceFilter
    private let stationaryRadius: Double
    private let stillAfter: Duration
    private let standbyAfter: Duration
    private(set) var phase = Phase.unknown
    /// The last recorded fix and its moment.
    private(set) var reference: Fix?
    private var referenceMoment = TrackInstant(nanoseconds: 0)
    /// The last fix that passed the gates.
    private(set) var latest: Fix?

    init(_ configuration: TrackerConfiguration) {
        filter = configuration.distanceRule
        stationaryRadius = configuration.stationaryRadius
        stillAfter = configuration.stillAfter
        standbyAfter = configuration.standbyAfter
    }

    /// A record to be made.
    struct Recording: Hashable {
        let fix: Fix
        let isMoving: Bool
        let event: RecordEvent?
        let cause: RecordCause
    }

    // MARK: A fix

    /// What a fix that has passed the gates leads to.
    enum FixAction: Hashable {
        case record(Recording)
        case reject(RejectionReason)
    }

    mutating func fix(_ fix: Fix, at now: TrackInstant) -> FixAction {
        latest = fix
        guard let reference else { return move(to: fix, at: now, cause: .first) }
        let distance = reference.coordinate.distance(to: fix.coordinate)
        switch phase {
        case .unknown, .moving, .still:
            if filter.keeps(distance: distance, speed: fix.speed) { return move(to: fix, at: now, cause: .distance) }
            if isOverdue(at: now), distance >= filter.base { return move(to: fix, at: now, cause: .elapsed) }
            return .reject(.tooNear)
        case .standby:
            guard distance > stationaryRadius + (fix.horizontalAccuracy ?? 0) else { return .reject(.standby) }
            return move(to: fix, at: now, cause: .departed)
        }
    }

    private func isOverdue(at now: TrackInstant) -> Bool {
        stillAfter > .zero && now > referenceMoment.advanced(by: stillAfter)
    }

    private mutating func move(to fix: Fix, at now: TrackInstant, cause: RecordCause) -> FixAction {
        let recording = Recording(fix: fix, isMoving: true, event: isMoving ? nil : .motionChange, cause: cause)
        phase = .moving(lastMovement: now)
        refer(to: fix, at: now)
        return .record(recording)
    }

    private mutating func refer(to fix: Fix, at now: TrackInstant) {
        reference = fix
        referenceMoment = now
    }

    /// Whether the last record says that the thing moves.
    var isMoving: Bool {
        switch phase {
        case .moving: true
        case .unknown, .still, .standby: false
        }
    }

    // MARK: Time

    /// When something falls due even if no fix arrives.
    var deadline: TrackInstant? {
        switch phase {
        case .unknown, .standby: nil
        case .moving(let lastMovement):
            if stillAfter > .zero {
                lastMovement.advanced(by: stillAfter)
            } else {
                standbyAfter > .zero ? lastMovement.advanced(by: standbyAfter) : nil
            }
        case .still(let lastMovement): standbyAfter > .zero ? lastMovement.advanced(by: standbyAfter) : nil
        }
    }

    /// What a deadline leads to.
    enum TimeAction: Hashable {
        case record(Recording)
        /// Standby began; nothing to record.
        case standby
        /// Nothing was due.
        case none
    }

    mutating func timeout(at now: TrackInstant) -> TimeAction {
        guard let deadline, now >= deadline, let latest, let reference else { return .none }
        switch phase {
        case .unknown, .standby: return .none
        case .moving(let lastMovement):
            if stillAfter > .zero, reference.coordinate.distance(to: latest.coordinate) >= filter.base {
                return overdueMove(to: latest, at: now)
            }
            let entersStandby = stillAfter == .zero
            phase = entersStandby ? .standby : .still(lastMovement: lastMovement)
            refer(to: latest, at: now)
            return .record(Recording(fix: latest, isMoving: false, event: .motionChange, cause: .still))
        case .still:
            phase = .standby
            return .standby
        }
    }

    private mutating func overdueMove(to fix: Fix, at now: TrackInstant) -> TimeAction {
        phase = .moving(lastMovement: now)
        refer(to: fix, at: now)
        return .record(Recording(fix: fix, isMoving: true, event: nil, cause: .elapsed))
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
        next.reference = reference
        next.referenceMoment = referenceMoment
        next.latest = latest
        return next
    }
}
