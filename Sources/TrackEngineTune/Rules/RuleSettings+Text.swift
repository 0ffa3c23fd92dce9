internal import TrackEngine
internal import TrackEngineFiles
internal import TrackEngineSettings

extension RuleSettings {
    /// A setting in the form of a configuration file.
    package struct Value: Sendable, Hashable {
        package let key: String
        package let value: String

        init(_ key: String, _ value: String) {
            self.key = key
            self.value = value
        }
    }

    /// The rule and its settings on one line: `distance 16 m ×3.1`, `any 75 m, 300 s, 30°`, `deviation 10 m`.
    public var label: String {
        switch kind {
        case .distance: "distance \(configuration.distanceText)"
        case .any, .all: "\(kind.rawValue) \(([configuration.distanceText] + configuration.combinedTexts).listed)"
        case .deviation: "deviation \(configuration.deviationTexts.listed)"
        }
    }

    /// The settings below `tracking` for this rule.
    package var settings: [Value] {
        let rule = Value("record", kind.rawValue)
        switch kind {
        case .distance: return [rule] + configuration.distanceSettings
        case .any, .all: return [rule] + configuration.distanceSettings + configuration.combinedSettings
        case .deviation: return [rule] + configuration.deviationSettings
        }
    }

    /// The lines to paste into a configuration file.
    public var yaml: String {
        "tracking:\n" + settings.map { "  \($0.key): \($0.value)\n" }.joined()
    }
}

// MARK: Pieces

extension RecordingConfiguration {
    private var stretch: Double? { disableSpeedMultiplier || speedMultiplier == 0 ? nil : speedMultiplier }

    fileprivate var distanceText: String {
        var text = "\(distanceFilter) m"
        if let stretch { text += " ×\(stretch.short)" }
        if let maximumThreshold { text += " max \(maximumThreshold.short) m" }
        return text
    }

    fileprivate var distanceSettings: [RuleSettings.Value] {
        var settings = [RuleSettings.Value("distanceFilter", "\(distanceFilter)")]
        settings.append(
            stretch.map { .init("speedMultiplier", $0.short) } ?? .init("disableSpeedMultiplier", "true"))
        if let maximumThreshold { settings.append(.init("maximumThreshold", maximumThreshold.short)) }
        return settings
    }

    fileprivate var combinedTexts: [String] {
        [interval.map { "\($0.inSeconds.short) s" }, angle.map { "\($0.short)°" }].compactMap(\.self)
    }

    fileprivate var combinedSettings: [RuleSettings.Value] {
        [
            interval.map { RuleSettings.Value("interval", $0.inSeconds.short) },
            angle.map { RuleSettings.Value("angle", $0.short) },
        ].compactMap(\.self)
    }

    /// Whether the longest lag differs from the default and must be shown.
    private var hasOwnInterval: Bool { maximumInterval != RecordingConfiguration().maximumInterval }

    fileprivate var deviationTexts: [String] {
        var texts = ["\(maximumDeviation.short) m"]
        if let maximumAltitudeDeviation { texts.append("height \(maximumAltitudeDeviation.short) m") }
        if hasOwnInterval {
            texts.append(maximumInterval == .zero ? "any lag" : "lag \(maximumInterval.inSeconds.short) s")
        }
        return texts
    }

    fileprivate var deviationSettings: [RuleSettings.Value] {
        var settings = [RuleSettings.Value("maximumDeviation", maximumDeviation.short)]
        if let maximumAltitudeDeviation {
            settings.append(.init("maximumAltitudeDeviation", maximumAltitudeDeviation.short))
        }
        settings.append(.init("distanceFilter", "\(distanceFilter)"))
        if hasOwnInterval { settings.append(.init("maximumInterval", maximumInterval.inSeconds.short)) }
        return settings
    }
}

extension [String] {
    fileprivate var listed: String { joined(separator: ", ") }
}

extension Double {
    /// The number with at most two decimals, without trailing zeros: `16`, `3.1`, `0.25`.
    package var short: String {
        var bytes: [UInt8] = []
        bytes.appendFixed(self, decimals: 2)
        return String(decoding: bytes, as: UTF8.self)
    }
}
