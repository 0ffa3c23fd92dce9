package import TrackEngine
package import TrackEngineSettings

/// The section `profiles`: the values of coarse and fine, and rules for profiles; places have theirs in
/// `events.places`.
package struct ProfileSettings: Sendable, Hashable {
    /// The values of coarse in place of those of `tracking`.
    package var coarse = TrackingChanges.coarse
    /// The values of fine in place of those of `tracking`.
    package var fine = TrackingChanges.fine
    /// Profiles by the time of the week.
    package var schedule = ScheduleSettings()
    /// Profiles by the battery.
    package var power: [PowerRule] = []
    /// Profiles during a trip; the first rule that applies decides.
    package var trips: [TripRule] = []

    /// No rules.
    package init() {}

    package static let fields: [Field<Self>] = [
        .table("coarse", \.coarse, TrackingChanges.fields)
            .meaning("The keys of tracking that have another value with tracking: coarse."),
        .table("fine", \.fine, TrackingChanges.fields)
            .meaning("The keys of tracking that have another value with tracking: fine."),
        .table("schedule", \.schedule, ScheduleSettings.fields).meaning("Profiles by the time of the week."),
        .tables("power", \.power, PowerRule.fields, of: PowerRule())
            .meaning("Profiles by the battery; of several below that hold the lowest decides, of others the first."),
        .tables("trips", \.trips, TripRule.fields, of: TripRule())
            .meaning("Profiles while a trip lasts; of several that hold the first one decides."),
    ]

    /// Reads the section; contradictions, also with `tracking` or `events`, are reported at their lines.
    static func decode(
        _ root: inout TableDecoder, _ tracking: RecordingConfiguration, _ events: EventSettings
    ) -> ProfileSettings {
        var profiles = ProfileSettings()
        root.table("profiles") { table in
            for field in fields { field.read(&table, &profiles) }
            for problem in profiles.problems(tracking, events) { table.reject(problem) }
        }
        return profiles
    }

    /// The recording configuration of a profile. ``TrackingProfile/off`` records no fix and has the normal
    /// configuration.
    package func configuration(
        of profile: TrackingProfile, _ tracking: RecordingConfiguration
    ) -> RecordingConfiguration {
        switch profile {
        case .off, .normal: tracking
        case .coarse: coarse.applied(to: tracking)
        case .fine: fine.applied(to: tracking)
        }
    }
}

// MARK: - Problems

extension ProfileSettings {
    private func problems(_ tracking: RecordingConfiguration, _ events: EventSettings) -> [ConfigurationProblem] {
        var problems = schedule.problems.map { $0.under("schedule") }
        for (index, rule) in power.enumerated() where (rule.below == nil) == (rule.onMains == nil) {
            problems.append(
                ConfigurationProblem(
                    key: "power.\(index)", value: rule.below == nil ? "(missing)" : "both",
                    expectation: "below or onMains, one of them"))
        }
        if !trips.isEmpty, !events.trips, !events.visits {
            problems.append(
                ConfigurationProblem(
                    key: "trips", value: "[…]", expectation: "events.trips or events.visits: there is no trip without"))
        }
        // Problems of tracking itself have been reported already.
        guard (try? tracking.validated()) != nil else { return problems }
        for (name, changes) in [("coarse", coarse), ("fine", fine)] where isUsed(name, changes, events) {
            do throws(ConfigurationError) { _ = try changes.applied(to: tracking).validated() } catch {
                problems += error.problems.map { $0.under(name) }
            }
        }
        return problems
    }

    /// Whether a rule uses a profile, or its values are configured: the defaults of an unused profile are no problem.
    private func isUsed(_ name: String, _ changes: TrackingChanges, _ events: EventSettings) -> Bool {
        let profiles =
            schedule.windows.map(\.tracking) + [schedule.outside] + power.map(\.tracking)
            + trips.map(\.tracking.profile) + events.places.compactMap(\.tracking)
        return profiles.contains { $0.rawValue == name } || changes != (name == "coarse" ? .coarse : .fine)
    }
}

extension ConfigurationProblem {
    fileprivate func under(_ key: String) -> ConfigurationProblem {
        ConfigurationProblem(key: "\(key).\(self.key)", value: value, expectation: expectation)
    }
}
