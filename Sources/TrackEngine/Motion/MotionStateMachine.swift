/// CalmGeo's motion states with real timers: moving, still, standby, and the choice of records in each.
///
/// The reference for distances is always the last recorded fix: it never moves without a record. Travel that is too
/// slow or too winding for the distance filter is therefore still recorded once it has led the base distance away.
///
/// Missing fixes do not mean rest. Rest is shown by a fix: one near the reference that came in the second half of
/// `stillAfter`, or later, and does not report a vehicle's speed. An object faster than 0.5 m/s has left the base
/// distance of 16 m by then. If such a fix has come, rest begins on the clock, when `stillAfter` is over; if the fixes
/// end before, the decision waits for the next fix.
struct MotionStateMachine: Sendable, Hashable, BitwiseCopyable {
    /// The phases of motion.
    enum Phase: Hashable, BitwiseCopyable {
        /// No fix yet. To `moving` with the first.
        case unknown
        /// Moving, with the last movement at the given moment. To `still` after `stillAfter`, if a fix shows rest, or,
        /// if that is switched off, to `standby` after `standbyAfter`.
        case moving(lastMovement: TrackInstant)
        /// At rest at the reference. To `moving` with the next record, to `standby` after `standbyAfter`.
        case still(lastMovement: TrackInstant)
        /// At rest at the reference, and the source is asked for infrequent fixes. To `moving` with a fix outside the
        /// radius.
        case standby
    }

    let rule: RecordingRule
    private var combined: CombinedRule?
    private let filter: DistanceFilter
    private let stationaryRadius: Double
    /// In metres; unknown if no fix is recorded for its better accuracy.
    private let accuracyGain: CompactOptional<Double>
    private let times: RestLimits
    private(set) var phase = Phase.unknown
    /// The position from which movement is measured: with the rule `distance` the last recorded fix, with the others
    /// the last position that the object had certainly moved to.
    private var anchor: DistanceAnchor?
    /// The accuracy at the anchor, in metres.
    private var recordedAccuracy = CompactOptional<Double>(nil)
    /// The cause of the next record if there is no anchor.
    private var firstCause = RecordCause.first
    /// The last fix that passed the gates; absent in a pause.
    private(set) var latest: Fix?
    /// The moment of the last fix that may show the object's position.
    private(set) var latestMoment = TrackInstant(nanoseconds: 0)
    /// Whether the deadline has passed without a fix that shows rest; the next fix sets the deadline again.
    private var isDeadlineSpent = false

    init(_ configuration: RecordingConfiguration) {
        rule = configuration.record
        combined = CombinedRule(configuration)
        filter = configuration.distanceRule
        stationaryRadius = configuration.stationaryRadius
        accuracyGain = CompactOptional(configuration.accuracyGain)
        times = RestLimits(configuration)
    }

    /// A record without its fix, which the caller has: returning the fix would cost a copy for each record.
    struct Recording: Hashable, BitwiseCopyable {
        let isMoving: Bool
        let event: RecordEvent?
        let cause: RecordCause
    }

    // MARK: A fix

    /// The action for a fix that has passed the gates.
    enum FixAction: Hashable, BitwiseCopyable {
        case record(Recording)
        case reject(RejectionReason)
        /// The object is moving, and the rule `deviation` decides.
        case offer

        /// Whether the fix is certainly at another position than the last one recorded.
        var confirmsMovement: Bool {
            switch self {
            case .record(let recording): recording.cause.confirmsMovement
            case .reject, .offer: false
            }
        }
    }

    mutating func fix(_ fix: Fix, at now: TrackInstant) -> FixAction {
        latest = fix
        latestMoment = now
        isDeadlineSpent = false
        guard let anchor else { return move(to: fix, at: now, cause: firstCause) }
        switch phase {
        case .unknown, .moving, .still:
            guard rule == .distance else { return travel(to: fix, from: anchor, at: now) }
            if anchor.isFarther(fix.coordinate, than: filter.threshold(speedOrNaN: fix.numbers.speed.number)) {
                return move(to: fix, at: now, cause: .distance)
            }
            if isOverdue(at: now), isAway(fix, from: anchor) {
                return move(to: fix, at: now, cause: .elapsed)
            }
            return improve(by: fix, orElse: .tooNear)
        case .standby:
            let radius = stationaryRadius + (fix.horizontalAccuracy ?? 0)
            guard anchor.isFarther(fix.coordinate, than: radius) else { return improve(by: fix, orElse: .standby) }
            return move(to: fix, at: now, cause: .departed)
        }
    }

    /// Records a near fix for its better accuracy, if it improves on the last record by the configured gain.
    @inline(__always)
    private mutating func improve(by fix: Fix, orElse reason: RejectionReason) -> FixAction {
        // An unknown accuracy is NaN, which makes the comparison false.
        let accuracy = fix.numbers.horizontalAccuracy.number
        guard accuracy <= recordedAccuracy.number - accuracyGain.number else { return .reject(reason) }
        remember(fix)
        return .record(Recording(isMoving: isMoving, event: nil, cause: .improved))
    }

    /// Processes a fix under the rules that may record without movement. Movement is determined separately: beyond the
    /// base distance and beyond the fix's accuracy.
    private mutating func travel(to fix: Fix, from anchor: DistanceAnchor, at now: TrackInstant) -> FixAction {
        let hasMoved = anchor.isFarther(fix.coordinate, than: max(filter.base, fix.horizontalAccuracy ?? 0))
        guard isMoving else {
            return hasMoved ? move(to: fix, at: now, cause: .departed) : .reject(.tooNear)
        }
        if hasMoved {
            phase = .moving(lastMovement: now)
            self.anchor = DistanceAnchor(fix.coordinate)
        }
        guard rule != .deviation else { return .offer }
        guard let cause = combined?.cause(of: fix, at: now) else { return .reject(.tooNear) }
        combined?.restart(at: fix, moment: now)
        return .record(Recording(isMoving: true, event: nil, cause: cause))
    }

    /// Whether the last movement is longer ago than `stillAfter`; a record of rest is not a movement.
    private func isOverdue(at now: TrackInstant) -> Bool {
        switch phase {
        case .unknown, .standby: false
        case .moving(let lastMovement), .still(let lastMovement):
            times.overdueAfter > 0 && now > lastMovement.advanced(byNanoseconds: times.overdueAfter)
        }
    }

    /// Whether a fix is at least the base distance away, and at another position even where that is 0.
    private func isAway(_ fix: Fix, from anchor: DistanceAnchor) -> Bool {
        anchor.isAtLeast(fix.coordinate, max(filter.base, .leastNonzeroMagnitude))
    }

    /// Notes a fix that only shows the object's position, because motion gating withholds it from the rule.
    mutating func witness(_ fix: Fix, at now: TrackInstant) {
        guard let anchor, !isAway(fix, from: anchor) else { return }
        latestMoment = now
        isDeadlineSpent = false
    }

    /// Goes back to an earlier moment than the last one: the fixes' own time was wrong and has been corrected.
    mutating func rewind(to now: TrackInstant) {
        switch phase {
        case .unknown, .standby: break
        case .moving(let lastMovement): phase = .moving(lastMovement: min(lastMovement, now))
        case .still(let lastMovement): phase = .still(lastMovement: min(lastMovement, now))
        }
        latestMoment = min(latestMoment, now)
        combined?.rewind(to: now)
    }

    private mutating func move(to fix: Fix, at now: TrackInstant, cause: RecordCause) -> FixAction {
        let recording = Recording(isMoving: true, event: isMoving ? nil : .motionChange, cause: cause)
        phase = .moving(lastMovement: now)
        remember(fix)
        combined?.restart(at: fix, moment: now)
        return .record(recording)
    }

    /// Makes a recorded fix the reference.
    private mutating func remember(_ fix: Fix) {
        anchor = DistanceAnchor(fix.coordinate)
        recordedAccuracy = fix.numbers.horizontalAccuracy
    }

    /// Forgets the position and the motion of the object: the next fix begins a new leg.
    mutating func interrupt() {
        phase = .unknown
        (anchor, latest) = (nil, nil)
        firstCause = .resumed
    }

    /// Whether the object moves, by the last record.
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

    /// The moment of the next timer if no fix arrives: never before the last fix.
    @inline(__always)  // read for every fix: a call would copy the whole value, including the last fix
    var deadline: TrackInstant? {
        switch phase {
        case .unknown, .standby: nil
        case .moving(let lastMovement): isDeadlineSpent ? nil : moment(times.untilRest, after: lastMovement)
        case .still(let lastMovement): moment(times.standbyAfter, after: lastMovement)
        }
    }

    @inline(__always)
    private func moment(_ span: Int64, after lastMovement: TrackInstant) -> TrackInstant? {
        span > 0 ? max(lastMovement.advanced(byNanoseconds: span), latestMoment) : nil
    }

    /// The next state if the object does not move, and its earliest moment; `nil` after a fix that shows no rest.
    var restDeadline: RestDeadline? {
        guard let deadline, !(isMoving && latest?.isOfVehicle == true) else { return nil }
        return RestDeadline(state: isMoving && times.stillAfter > 0 ? .still : .standby, moment: deadline)
    }

    /// The action at a deadline.
    enum TimeAction: Hashable {
        case record(Fix, Recording)
        /// Standby began at a fix; no record.
        case standby(Fix)
        /// No deadline was due.
        case none
    }

    mutating func timeout(at now: TrackInstant) -> TimeAction {
        guard let deadline, now >= deadline, let latest, let anchor else { return .none }
        switch phase {
        case .unknown, .standby: return .none
        case .moving(let lastMovement):
            let isAway = rule == .distance && isAway(latest, from: anchor)
            if isAway, times.stillAfter > 0 { return overdueMove(to: latest, at: now) }
            guard !isAway, showsRest(latest, since: lastMovement) else {
                isDeadlineSpent = true
                return .none
            }
            phase = times.stillAfter > 0 ? .still(lastMovement: lastMovement) : .standby
            remember(latest)
            combined?.restart(at: latest, moment: now)
            return .record(latest, Recording(isMoving: false, event: .motionChange, cause: .still))
        case .still:
            phase = .standby
            return .standby(latest)
        }
    }

    /// Whether a near fix shows that the object has rested since its last movement.
    private func showsRest(_ fix: Fix, since lastMovement: TrackInstant) -> Bool {
        let isLate = latestMoment.nanoseconds(since: lastMovement) > times.untilRest / 2
        return isLate && !fix.isOfVehicle
    }

    private mutating func overdueMove(to fix: Fix, at now: TrackInstant) -> TimeAction {
        phase = .moving(lastMovement: now)
        remember(fix)
        return .record(fix, Recording(isMoving: true, event: nil, cause: .elapsed))
    }

    // MARK: Going on

    /// Continues from the state of an earlier run, or of another configuration.
    ///
    /// - Parameters:
    ///   - checkpoint: the stored state.
    ///   - moment: the moment of that last record on this machine's time base.
    ///   - lastMovement: the moment of the last movement on this machine's time base.
    mutating func resume(from checkpoint: SourceCheckpoint, moment: TrackInstant, lastMovement: TrackInstant) {
        remember(checkpoint.last.fix)
        combined?.restart(at: checkpoint.last.fix, moment: moment)
        latest = checkpoint.last.fix
        latestMoment = moment
        if checkpoint.isStandby {
            phase = .standby
        } else {
            phase = checkpoint.last.isMoving ? .moving(lastMovement: lastMovement) : .still(lastMovement: lastMovement)
        }
    }

    /// Returns the same state under another configuration.
    func reconfigured(_ configuration: RecordingConfiguration) -> MotionStateMachine {
        var next = MotionStateMachine(configuration)
        next.phase = phase
        next.anchor = anchor
        next.recordedAccuracy = recordedAccuracy
        next.latest = latest
        next.latestMoment = latestMoment
        next.firstCause = firstCause
        if let combined { next.combined = combined.reconfigured(configuration) }
        return next
    }
}

extension Fix {
    /// Whether the fix reports a vehicle's speed.
    fileprivate var isOfVehicle: Bool { numbers.speed.number >= DistanceFilter.slowestScaledSpeed }
}

extension RecordCause {
    /// Whether a fix recorded for this cause is certainly at another position than the one recorded before.
    fileprivate var confirmsMovement: Bool {
        switch self {
        case .distance, .elapsed, .departed: true
        case .first, .still, .requested, .deviation, .turn, .interval, .resumed, .improved, .detected: false
        }
    }
}
