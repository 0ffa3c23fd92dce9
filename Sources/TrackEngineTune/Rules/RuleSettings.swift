public import TrackEngine

/// A recording rule with its settings, as part of a whole configuration: everything but the rule is the user's own.
public struct RuleSettings: Sendable, Hashable {
    /// The configuration for the pipeline.
    public let configuration: RecordingConfiguration

    /// The rule that a configuration describes.
    package init(_ configuration: RecordingConfiguration) {
        self.configuration = configuration
    }

    /// The kind of rule.
    public var kind: RecordingRule { configuration.record }

    /// The largest distance of the rebuilt track from the fixes under this rule, in metres; `nil` for a rule without
    /// a bound.
    public var bound: Double? {
        switch kind {
        case .deviation: configuration.maximumDeviation
        case .distance, .any, .all: nil
        }
    }
}

// MARK: Creation

extension RuleSettings {
    /// CalmGeo's rule.
    ///
    /// - Parameter multiplier: the factor by which speed stretches the distance; `nil` for no stretching.
    package static func distance(
        metres: Int, multiplier: Double?, on base: RecordingConfiguration
    ) -> RuleSettings {
        RuleSettings(base.with(.distance, metres: metres, multiplier: multiplier))
    }

    /// A record at a distance, after an interval or at a turn, at the first of these.
    package static func any(
        metres: Int, interval: Duration?, angle: Double?, on base: RecordingConfiguration
    ) -> RuleSettings {
        var configuration = base.with(.any, metres: metres, multiplier: nil)
        configuration.interval = interval
        configuration.angle = angle
        return RuleSettings(configuration)
    }

    /// A record when both a distance and an interval are reached.
    package static func all(metres: Int, interval: Duration?, on base: RecordingConfiguration) -> RuleSettings {
        var configuration = base.with(.all, metres: metres, multiplier: nil)
        configuration.interval = interval
        configuration.angle = nil
        return RuleSettings(configuration)
    }

    /// The rule with a bound.
    ///
    /// - Parameter maximumInterval: the longest lag of the newest record; `nil` for that of the base configuration.
    package static func deviation(
        metres: Double, maximumInterval: Duration? = nil, on base: RecordingConfiguration
    ) -> RuleSettings {
        var configuration = base
        configuration.record = .deviation
        // An object at rest may drift within this distance, which limits the accuracy of the bound.
        configuration.distanceFilter = min(base.distanceFilter, RecordingConfiguration().distanceFilter)
        configuration.maximumDeviation = metres
        if let maximumInterval { configuration.maximumInterval = maximumInterval }
        return RuleSettings(configuration)
    }
}

extension RecordingConfiguration {
    fileprivate func with(_ record: RecordingRule, metres: Int, multiplier: Double?) -> RecordingConfiguration {
        var configuration = self
        configuration.record = record
        configuration.distanceFilter = metres
        configuration.disableSpeedMultiplier = multiplier == nil
        if let multiplier { configuration.speedMultiplier = multiplier }
        configuration.maximumThreshold = nil
        return configuration
    }
}

/// The rules that are tried on a track: the user's own and well-known ones, with the user's values for all other
/// settings.
package enum RuleList {
    /// The user's rule first, then the others, without duplicates.
    package static func rules(on base: RecordingConfiguration) -> [RuleSettings] {
        var rules = [RuleSettings(base)]
        for rule in wellKnown(on: base) where !rules.contains(where: { $0.label == rule.label }) { rules.append(rule) }
        return rules
    }

    private static func wellKnown(on base: RecordingConfiguration) -> [RuleSettings] {
        [
            .distance(metres: 16, multiplier: 3.1, on: base),  // CalmGeo's defaults
            .distance(metres: 16, multiplier: nil, on: base),
            .distance(metres: 50, multiplier: nil, on: base),
            .any(metres: 75, interval: .seconds(300), angle: 30, on: base),  // like Traccar's client, with a turn
            .all(metres: 50, interval: .seconds(10), on: base),  // like OwnTracks for Android while moving
            .deviation(metres: 5, on: base),
            .deviation(metres: 10, on: base),
            .deviation(metres: 25, on: base),
        ]
    }

    /// Round numbers to try for a distance or a deviation, in metres.
    package static let ladder: [Double] = [
        1, 1.5, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120, 150, 200, 250, 300, 400, 500, 600,
        800, 1000, 1500, 2000, 3000, 5000,
    ]
}
