package import TrackEngine
import TrackEnginePlaces
package import TrackEngineSettings

/// The section `profiles`: the values of coarse and fine, and rules for profiles; places have theirs in
/// `events.places`.
package struct ProfileSettings: Sendable, Hashable {
    /// The values of coarse in place of those of `tracking`.
    package var coarse = defaultCoarse
    /// The values of fine in place of those of `tracking`.
    package var fine = defaultFine
    /// Profiles by the time of the week.
    package var schedule = ScheduleSettings()
    /// Profiles by the battery.
    package var power: [PowerRule] = []
    /// Profiles during a trip; the first rule that applies decides.
    package var trips: [TripRule] = []

    /// A point every 200 m, from a receiver that may sleep for ten seconds on the way and for two minutes at rest.
    private static let defaultCoarse = Overlay<RecordingConfiguration>([
        "desiredAccuracy": .text("kilometer"), "record": .text("distance"), "distanceFilter": .word("200"),
        "disableSpeedMultiplier": .word("true"), "standbyInterval": .word("120"),
    ])
    /// A point every 5 m at any speed.
    private static let defaultFine = Overlay<RecordingConfiguration>([
        "desiredAccuracy": .text("best"), "record": .text("distance"), "distanceFilter": .word("5"),
        "disableSpeedMultiplier": .word("true"),
    ])

    /// The keys of `tracking` that a profile may have.
    private static let trackingFields = [
        "desiredAccuracy", "record", "distanceFilter", "disableSpeedMultiplier", "speedMultiplier", "maximumThreshold",
        "maximumDeviation", "maximumInterval", "interval", "angle", "stationaryRadius", "minimumAccuracy", "stillAfter",
        "standbyAfter", "standbyInterval",
    ].compactMap { key in RecordingConfiguration.fields.first { $0.name == key } }

    private static let overlayFields = trackingFields.map { $0.overlay(on: "tracking", like: RecordingConfiguration()) }

    package static let fields: [Field<Self>] = [
        .table("coarse", \.coarse, overlayFields)
            .meaning("The keys of tracking that have another value with tracking: coarse."),
        .table("fine", \.fine, overlayFields)
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
        case .coarse: coarse.applied(to: tracking, Self.trackingFields)
        case .fine: fine.applied(to: tracking, Self.trackingFields)
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
        if !trips.isEmpty, !events.detected.trips, !events.detected.visits {
            problems.append(
                ConfigurationProblem(
                    key: "trips", value: "[…]", expectation: "events.trips or events.visits: there is no trip without"))
        }
        // Problems of tracking itself have been reported already.
        guard (try? tracking.validated()) != nil else { return problems }
        for profile in [TrackingProfile.coarse, .fine] where isUsed(profile, events) {
            do throws(ConfigurationError) { _ = try configuration(of: profile, tracking).validated() } catch {
                problems += error.problems.map { $0.under(profile.rawValue) }
            }
        }
        return problems
    }

    /// Whether a rule uses a profile, or its values are configured: the defaults of an unused profile are no problem.
    private func isUsed(_ profile: TrackingProfile, _ events: EventSettings) -> Bool {
        let profiles =
            schedule.windows.map(\.tracking) + [schedule.outside] + power.map(\.tracking)
            + trips.map(\.tracking.profile) + events.places.compactMap(\.tracking)
        let hasDefaults = profile == .coarse ? coarse == Self.defaultCoarse : fine == Self.defaultFine
        return profiles.contains(profile) || !hasDefaults
    }
}

extension ConfigurationProblem {
    fileprivate func under(_ key: String) -> ConfigurationProblem {
        ConfigurationProblem(key: "\(key).\(self.key)", value: value, expectation: expectation)
    }
}
