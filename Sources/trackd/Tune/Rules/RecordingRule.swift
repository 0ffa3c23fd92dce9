package import TrackEngine

/// A recording rule with its settings, as part of a whole configuration: everything beside the rule is the user's own.
package struct RecordingRule: Sendable, Hashable {
    /// What the pipeline gets.
    package let configuration: TrackerConfiguration

    /// The rule that a configuration describes.
    package init(_ configuration: TrackerConfiguration) {
        self.configuration = configuration
    }

    /// The kinds of rules.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case distance
    }

    /// Of what kind it is.
    package var kind: Kind { .distance }

    /// How far the rebuilt track may be from the fixes under this rule, in metres; `nil` for a rule that promises nothing.
    package var bound: Double? { nil }
}

// MARK: Making one

extension RecordingRule {
    /// CalmGeo's rule.
    package static func distance(
        metres: Int, multiplier: Double?, on base: TrackerConfiguration
    ) -> RecordingRule {
        var configuration = base
        configuration.distanceFilter = metres
        configuration.disableSpeedMultiplier = multiplier == nil
        if let multiplier { configuration.speedMultiplier = multiplier }
        configuration.maximumThreshold = nil
        return RecordingRule(configuration)
    }
}

// MARK: Showing it

extension RecordingRule {
    /// A setting as a configuration file has it.
    package struct Setting: Sendable, Hashable {
        package let key: String
        package let value: String
    }

    /// The rule and its settings on a line: `distance 16 m ×3.1`.
    package var label: String {
        switch kind {
        case .distance: "distance \(configuration.distanceText)"
        }
    }

    /// What to write below `tracking` for this rule.
    package var settings: [Setting] {
        switch kind {
        case .distance: configuration.distanceSettings
        }
    }

    /// The lines to paste into a configuration file.
    package var yaml: String {
        "tracking:\n" + settings.map { "  \($0.key): \($0.value)\n" }.joined()
    }
}

extension TrackerConfiguration {
    fileprivate var distanceText: String {
        var text = "\(distanceFilter) m"
        if !disableSpeedMultiplier, speedMultiplier > 0 { text += " ×\(speedMultiplier.short)" }
        if let maximumThreshold { text += " max \(maximumThreshold.short)" }
        return text
    }

    fileprivate var distanceSettings: [RecordingRule.Setting] {
        var settings = [RecordingRule.Setting(key: "distanceFilter", value: "\(distanceFilter)")]
        if disableSpeedMultiplier {
            settings.append(.init(key: "disableSpeedMultiplier", value: "true"))
        } else {
            settings.append(.init(key: "speedMultiplier", value: speedMultiplier.short))
        }
        if let maximumThreshold { settings.append(.init(key: "maximumThreshold", value: maximumThreshold.short)) }
        return settings
    }
}

extension Double {
    /// The number with at most two decimals and none that are zero: `16`, `3.1`, `0.25`.
    package var short: String {
        var bytes: [UInt8] = []
        bytes.appendFixed(self, decimals: 2)
        return String(decoding: bytes, as: UTF8.self)
    }
}
