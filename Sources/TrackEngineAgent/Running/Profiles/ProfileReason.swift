package import TrackEngine

/// The reason why a profile is in force.
package enum ProfileReason: Sendable, Hashable {
    /// No rule applies.
    case noRule
    /// There is a schedule, but the time of day is not trusted.
    case clockNotTrusted
    /// A window of the schedule, with its times.
    case window(String)
    /// The schedule, outside its windows.
    case outsideOfWindows
    /// The battery has less than a bound; both in per cent.
    case battery(Int, below: Int)
    /// The machine is on mains.
    case mains
    /// The battery supplies the power.
    case onBattery
    /// The object is at a place, with its name. The name is absent for a place where tracking is off.
    case place(String?)
    /// A trip is under way.
    case trip(TripMode)

    /// The kind of the rule, for programs.
    package var kind: String {
        switch self {
        case .noRule: "none"
        case .clockNotTrusted: "clock"
        case .window, .outsideOfWindows: "schedule"
        case .battery, .mains, .onBattery: "power"
        case .place: "place"
        case .trip: "trip"
        }
    }

    /// The reason in words that follow "because": `battery 14 %`.
    package var words: String {
        switch self {
        case .noRule: "no rule applies"
        case .clockNotTrusted: "the clock is not trusted, so the schedule does not hold"
        case .window(let times): "schedule \(times)"
        case .outsideOfWindows: "schedule, outside of its windows"
        case .battery(let percent, _): "battery \(percent) %"
        case .mains: "on mains"
        case .onBattery: "on battery"
        case .place(let name): name.map { "place \($0)" } ?? "a place where tracking is off"
        case .trip(let mode): "trip, \(mode.name)"
        }
    }

    /// The reason without values that change while one rule is in force.
    fileprivate var rule: ProfileReason {
        if case .battery(_, let bound) = self { .battery(0, below: bound) } else { self }
    }
}

/// The profile in force, and the reason.
package struct ProfileChoice: Sendable, Hashable {
    package var profile: TrackingProfile
    package var reason: ProfileReason
    /// The time of the next decision without other changes; absent if time alone changes no decision.
    package var next: Timestamp?

    package init(_ profile: TrackingProfile, _ reason: ProfileReason, next: Timestamp? = nil) {
        (self.profile, self.reason, self.next) = (profile, reason, next)
    }

    /// `coarse because battery 14 %`
    package var words: String { "\(profile.rawValue) because \(reason.words)" }

    /// Whether the rule is the same for a reader of a log: the level of the battery may differ.
    package func isSameRule(as other: ProfileChoice) -> Bool {
        profile == other.profile && reason.rule == other.reason.rule
    }
}
