package import TrackEngine

/// Why a profile holds.
package enum ProfileReason: Sendable, Hashable {
    /// No rule says anything else.
    case noRule
    /// There is a schedule, and nobody can tell what time it is.
    case clockNotTrusted
    /// A window of the schedule, by its times.
    case window(String)
    /// The schedule, outside of its windows.
    case outsideOfWindows
    /// The battery has less than a bound; both in per cent.
    case battery(Int, below: Int)
    /// The machine is on mains.
    case mains
    /// The battery gives the power.
    case onBattery
    /// The object is at a place, by its name. No name is told of a place where tracking is off.
    case place(String?)
    /// A trip lasts.
    case trip(TripMode)

    /// Which sort of rule it is, for programs.
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

    /// The reason in words behind "because": `battery 14 %`.
    package var words: String {
        switch self {
        case .noRule: "no rule says otherwise"
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

    /// The same without what changes while one rule holds.
    fileprivate var rule: ProfileReason {
        if case .battery(_, let bound) = self { .battery(0, below: bound) } else { self }
    }
}

/// Which profile holds, and why.
package struct ProfileResolution: Sendable, Hashable {
    /// The profile.
    package var profile: TrackingProfile
    /// Why.
    package var reason: ProfileReason
    /// When to look again though nothing happens; absent where time changes nothing.
    package var next: Timestamp?

    package init(_ profile: TrackingProfile, _ reason: ProfileReason, next: Timestamp? = nil) {
        (self.profile, self.reason, self.next) = (profile, reason, next)
    }

    /// `coarse because battery 14 %`
    package var words: String { "\(profile.rawValue) because \(reason.words)" }

    /// Whether it says the same as another one to a reader of a log: the level of a battery may be another one.
    package func isSameRule(as other: ProfileResolution) -> Bool {
        profile == other.profile && reason.rule == other.reason.rule
    }
}
