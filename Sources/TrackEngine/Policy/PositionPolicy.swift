/// Decides, before the pipeline, which fixes of a track are used and at which position. A value that a step tries on a
/// copy.
package struct PositionPolicy: Sendable {
    /// Whether the track's fixes may be recorded, by the last decision.
    enum Recording: Sendable {
        /// The fixes may be recorded.
        case on
        /// The leg has ended because recording is off everywhere; until the next fix that may be recorded.
        case ended
        /// The object is at a place where tracking is off. The pipeline processes the fixes there, to decide which of
        /// them the gates accept; it is dropped at the next fix that may be recorded.
        case offPlace(Box<TrackPipeline>)
    }

    /// Whether the track's fixes may be recorded, by the last decision.
    var recording = Recording.on
    /// The number of the last pause that has ended the leg.
    var endedLegs = 0
    /// The known position at which the last fixes were used; absent if they were used unchanged.
    private(set) var position: KnownPosition?

    package init() {}

    /// The pipeline of a place where tracking is off; absent elsewhere.
    var offPlace: Box<TrackPipeline>? { if case .offPlace(let pipeline) = recording { pipeline } else { nil } }

    /// Whether the object is at a place where tracking is off.
    var isAtOffPlace: Bool { if case .offPlace = recording { true } else { false } }

    /// Whether the leg has ended because recording is off everywhere.
    var hasEnded: Bool { if case .ended = recording { true } else { false } }

    /// Whether a pause has begun since it last ended the leg.
    func isLegEndDue(_ rules: PositionRules) -> Bool { rules.isLive && endedLegs != rules.endedLegs }

    /// Moves the object to a known position or, with `nil`, away from it.
    ///
    /// - Parameter latest: the newest fix of the leg.
    package mutating func move(to position: KnownPosition?, after latest: Fix?) -> Continuity {
        guard position != self.position else { return .follows }
        self.position = position
        // An earlier run may have ended at this position.
        if let position, latest?.coordinate == position.coordinate { return .follows }
        return .newLeg(.elsewhere)
    }
}

// MARK: - Admission

extension PositionPolicy {
    /// The decision about a fix.
    package enum Outcome: Sendable, Hashable {
        /// The fix is used in this form. `isHidden` is whether part of its position is hidden.
        case use(Fix, isHidden: Bool)
        /// The same, if the places where the object is with this fix admit it; otherwise only their names are used.
        case look(Fix, isHidden: Bool)
        /// The fix is not used.
        case withhold(RejectionReason)
    }

    /// What holds at the moment when fixes arrive; read once for all that arrived together.
    package struct Context: Sendable, Hashable {
        /// Whether a pause stops recording.
        let isPaused: Bool
        /// Whether recording is off everywhere.
        let isOff: Bool
        /// The object's known position.
        let position: KnownPosition?
        /// Whether there are places where recording is off.
        let dependsOnPlaces: Bool

        /// Whether recording is stopped: every fix is withheld.
        var isStopped: Bool { isPaused || isOff }
    }

    /// Decides about a fix. The order of the cases is the order of the rules.
    ///
    /// The true position is checked before the known one: where it is hidden or must not be recorded, the known
    /// position must not reveal the object's presence. The known position itself may be hidden, too.
    package static func admit(_ fix: Fix, under now: Context, _ rules: PositionRules) -> Outcome {
        lazy var covered = rules.covered(fix)
        switch now.position {
        case _ where now.isPaused: return .withhold(.paused)
        case _ where now.isOff: return .withhold(.off)
        case _ where covered != fix: return admission(covered, isHidden: true, now)
        case let position? where !now.dependsOnPlaces || rules.admits(fix, nil):
            let known = fix.at(position)
            let covered = rules.covered(known)
            return admission(covered, isHidden: covered != known, now)
        case _: return admission(fix, isHidden: false, now)
        }
    }

    private static func admission(_ fix: Fix?, isHidden: Bool, _ now: Context) -> Outcome {
        guard let fix else { return .withhold(.hidden) }
        return now.dependsOnPlaces ? .look(fix, isHidden: isHidden) : .use(fix, isHidden: isHidden)
    }

    /// Decides about fixes that arrived together.
    package static func admit(
        _ received: ReceivedBatch, under now: Context, _ rules: PositionRules
    ) -> PolicyOutcome {
        guard now.isStopped || now.position != nil || rules.hasPrivacyFilter else {
            return PolicyOutcome(fixes: received, mustLook: now.dependsOnPlaces)
        }
        var admitted = PolicyOutcome(fixes: .each([]), mustLook: now.dependsOnPlaces)
        let used = received.received.compactMap { admitted.note($0, admit($0.fix, under: now, rules)) }
        admitted.fixes = .each(used)
        if let position = now.position, used.last?.fix.coordinate == position.coordinate {
            admitted.position = position
        }
        return admitted
    }
}

/// The fixes of a batch in the form in which they are used.
package struct PolicyOutcome {
    package fileprivate(set) var fixes: ReceivedBatch
    /// Whether each of them may be recorded only if the places where the object is admit it.
    let mustLook: Bool
    /// The known position at which the last fix is used.
    package fileprivate(set) var position: KnownPosition?
    /// The number of fixes that are not used.
    package private(set) var withheld = 0
    /// The reason why they are not used, the same for all of them.
    package private(set) var reason = RejectionReason.hidden
    /// Whether a position, or part of one, is hidden; absent if none was checked.
    package private(set) var isHidden: Bool?
    /// The time of the last hidden fix.
    package private(set) var lastHidden: Timestamp?
    /// How the next fix is connected with them.
    package private(set) var next = Continuity.follows

    fileprivate init(fixes: ReceivedBatch, mustLook: Bool) { (self.fixes, self.mustLook) = (fixes, mustLook) }

    /// Notes a decision. Returns the fix in the form in which it is used.
    fileprivate mutating func note(_ received: ReceivedFix, _ admission: PositionPolicy.Outcome) -> ReceivedFix? {
        switch admission {
        case .use(let fix, let isHidden), .look(let fix, let isHidden):
            defer { next = .follows }
            note(isHidden: isHidden, received.fix)
            return received.with(fix, next)
        case .withhold(let reason):
            (withheld, self.reason) = (withheld + 1, reason)
            guard reason == .hidden else { return nil }
            next = .gap
            note(isHidden: true, received.fix)
            return nil
        }
    }

    private mutating func note(isHidden: Bool, _ fix: Fix) {
        self.isHidden = isHidden || self.isHidden == true
        if isHidden { lastHidden = fix.time }
    }
}
