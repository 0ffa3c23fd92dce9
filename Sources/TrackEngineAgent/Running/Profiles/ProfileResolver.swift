package import TrackEngine

/// Decides which profile is in force, by all rules. A pure value.
///
/// The first of these rules that applies decides:
///
/// 1. `off`, from any rule: the schedule, the battery, a place. Privacy comes before all other rules.
/// 2. `below` of the battery: a machine without power cannot track.
/// 3. The trip under way, by the first rule for its mode.
/// 4. The place that the object entered last, of the places that it is in and that have a rule.
/// 5. `onMains`.
/// 6. The schedule: the first window that applies, or the profile outside all windows.
/// 7. The section `tracking`, unchanged.
package struct ProfileResolver: Sendable {
    /// The inputs of a decision.
    package struct Input: Sendable, Hashable {
        /// The time of day.
        package var time: Timestamp
        /// Whether the time of day can be right; if not, the schedule does not apply.
        package var isClockTrusted: Bool
        /// The battery.
        package var host: HostStatus?
        /// The ids of the places that the object is in, in the order of its arrivals.
        package var places: [String]
        /// The mode of the trip under way.
        package var trip: TripMode?
        /// Whether the newest fix may lie at a place where recording is off, although the object has not certainly
        /// entered it.
        var isNearOff: Bool

        package init(
            time: Timestamp, isClockTrusted: Bool = true, host: HostStatus? = nil, places: [String] = [],
            trip: TripMode? = nil, isNearOff: Bool = false
        ) {
            self.isNearOff = isNearOff
            (self.time, self.isClockTrusted, self.host) = (time, isClockTrusted, host)
            (self.places, self.trip) = (places, trip)
        }
    }

    private let schedule: WeekSchedule?
    private let outside: TrackingProfile
    private let trips: [TripRule]
    private let places: [String: (name: String, profile: TrackingProfile)]
    private var power: PowerMonitor
    /// Whether there is any rule.
    package let hasRules: Bool
    /// Whether there is a rule on time.
    var hasSchedule: Bool { schedule != nil }

    /// Makes a resolver for the rules of a configuration.
    package init(_ profiles: ProfileSettings, places: [PlaceSettings]) {
        schedule = ZoneClock(named: profiles.schedule.zone)
            .flatMap { WeekSchedule(profiles.schedule.windows, clock: $0) }
        outside = profiles.schedule.outside
        trips = profiles.trips
        var ruled: [String: (name: String, profile: TrackingProfile)] = [:]
        for place in places {
            if let profile = place.tracking { ruled[place.id ?? place.name] = (place.name, profile) }
        }
        self.places = ruled
        power = PowerMonitor(profiles.power)
        hasRules = schedule != nil || !profiles.power.isEmpty || !trips.isEmpty || !ruled.isEmpty
    }

    /// Takes over the battery state from a resolver with other rules.
    package mutating func goOn(from other: ProfileResolver) { power.goOn(from: other.power) }

    /// The bounds of the battery rules in force.
    package var low: Set<Int> { power.low }

    /// Continues after a restart with the bounds that were in force.
    package mutating func goOn(from low: Set<Int>) { power.goOn(from: low) }

    /// The ids of the places where recording is off.
    package var offPlaces: Set<String> { Set(places.filter { $0.value.profile == .off }.keys) }

    /// Decides which profile is in force.
    package mutating func resolve(_ inputs: Input) -> ProfileChoice {
        power.observe(inputs.host)
        var resolution = off(inputs) ?? other(inputs)
        // For a wrong clock, the time when it becomes right is unknown.
        if inputs.isClockTrusted { resolution.next = schedule?.nextLook(after: inputs.time) }
        return resolution
    }

    /// The decision for `off`. For places with `off`, a source makes the same decision for each fix, by their ids.
    private func off(_ inputs: Input) -> ProfileChoice? {
        if let scheduled = scheduled(inputs), scheduled.profile == .off { return scheduled }
        for powered in [below, mains].compactMap(\.self) where powered.profile == .off { return powered }
        let isAtPlace = inputs.isNearOff || inputs.places.contains { places[$0]?.profile == .off }
        return isAtPlace ? ProfileChoice(.off, .place(nil)) : nil
    }

    private func other(_ inputs: Input) -> ProfileChoice {
        if let below { return below }
        if let trip = inputs.trip, let rule = trips.first(where: { $0.holds(for: trip) }) {
            return ProfileChoice(rule.tracking.profile, .trip(trip))
        }
        if let place = inputs.places.last(where: { places[$0] != nil }).flatMap({ places[$0] }) {
            return ProfileChoice(place.profile, .place(place.name))
        }
        if let mains { return mains }
        return scheduled(inputs) ?? ProfileChoice(.normal, schedule == nil ? .noRule : .clockNotTrusted)
    }

    private var below: ProfileChoice? {
        guard let rule = power.belowRule, let bound = rule.below, let percent = power.percent else { return nil }
        return ProfileChoice(rule.tracking, .battery(percent, below: bound))
    }

    private var mains: ProfileChoice? {
        power.mainsRule.map { ProfileChoice($0.tracking, $0.onMains == true ? .mains : .onBattery) }
    }

    private func scheduled(_ inputs: Input) -> ProfileChoice? {
        guard let schedule, inputs.isClockTrusted else { return nil }
        guard let window = schedule.window(at: inputs.time) else {
            return ProfileChoice(outside, .outsideOfWindows)
        }
        return ProfileChoice(window.tracking, .window(window.times))
    }
}

extension TripRule {
    fileprivate func holds(for trip: TripMode) -> Bool { mode.map { $0.rawValue == trip.name } ?? true }
}
