/// The recording settings of another program, under a name: `miataru-1` to `miataru-5` are the sensitivity levels of
/// Miataru's app, from walking to train travel, with the app's quality gates.
///
/// | level | distance | accuracy gained |
/// |---|---|---|
/// | 1 | 3 m | 2 m |
/// | 2, its default | 5 m | 5 m |
/// | 3 | 10 m | 10 m |
/// | 4 | 25 m | 20 m |
/// | 5 | 50 m | 40 m |
///
/// In addition, these live fixes are rejected: a fix older than 10 min or more than 60 s ahead; a fix less accurate
/// than 300 m; a fix within 5 s of the last that is only reachable at more than 180 km/h, unless the receiver itself
/// reports at most 220 km/h with an accuracy of 2 m/s or better; and a fix 500 m away after 2 min of silence, until a
/// second one within 150 m confirms it. Unlike in the app, a fix without an accuracy passes, rest is recorded, and five
/// fixes that agree outvote a gate.
public enum RecordingPreset: String, Sendable, Hashable, CaseIterable {
    /// 3 m.
    case miataru1 = "miataru-1"
    /// 5 m.
    case miataru2 = "miataru-2"
    /// 10 m.
    case miataru3 = "miataru-3"
    /// 25 m.
    case miataru4 = "miataru-4"
    /// 50 m.
    case miataru5 = "miataru-5"

    /// Sets the values that the preset defines.
    public func apply(to configuration: inout RecordingConfiguration) {
        configuration.record = .distance
        (configuration.distanceFilter, configuration.accuracyGain) = thresholds
        configuration.disableSpeedMultiplier = true
        configuration.minimumAccuracy = 300
        configuration.maximumAge = .seconds(600)
        configuration.maximumLead = .seconds(60)
        configuration.maximumSpeed = 50  // 180 km/h
        configuration.maximumSpeedWithin = .seconds(5)
        configuration.trustedSpeed = 61.1  // 220 km/h
        configuration.maximumJump = 500
        configuration.maximumJumpAfter = .seconds(120)
    }

    /// The distance and the gain in accuracy, in metres.
    private var thresholds: (Int, Double) {
        switch self {
        case .miataru1: (3, 2)
        case .miataru2: (5, 5)
        case .miataru3: (10, 10)
        case .miataru4: (25, 20)
        case .miataru5: (50, 40)
        }
    }
}

extension RecordingConfiguration {
    /// Creates the default configuration, changed by a preset.
    public init(_ preset: RecordingPreset) {
        self.init()
        preset.apply(to: &self)
    }

    /// The preset with which this configuration agrees in all values of the preset; `nil` if there is none.
    public var preset: RecordingPreset? {
        RecordingPreset.allCases.first { preset in
            var changed = self
            preset.apply(to: &changed)
            return changed == self
        }
    }
}
