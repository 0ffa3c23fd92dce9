extension RecordingConfiguration {
    /// The bounds of each value, for validation and for parsers: in metres, seconds, degrees and metres per second. A
    /// single number is the upper bound of a value above 0.
    package enum Bounds {
        package static let distanceFilter = 0...100_000
        package static let speedMultiplier = 0.0...1000
        package static let stationaryRadius = 100_000.0
        package static let minimumAccuracy = 100_000.0
        package static let maximumSpeed = 100_000.0
        package static let maximumSpeedWithin = 0.1...86_400
        package static let maximumJump = 1_000_000.0
        package static let maximumJumpAfter = 0.0...86_400
        package static let accuracyGain = 100_000.0
        package static let maximumDeviation = 10_000.0
        package static let maximumAltitudeDeviation = 10_000.0
        package static let maximumInterval = 0.0...86_400
        package static let interval = 0.1...86_400
        package static let angle = 180.0
        package static let requiredMotionDuration = 0.0...3600
        package static let stillAfter = 0.0...86_400
        package static let standbyAfter = 0.0...86_400
        package static let standbyInterval = 1.0...3600
        package static let maximumAge = 1.0...86_400
        package static let maximumLead = 1.0...86_400
        package static let flushTimeout = 0.0...600
    }

    /// Returns the configuration itself, if every value is valid.
    ///
    /// - Throws: ``ConfigurationError`` with every problem at once.
    public func validated() throws(ConfigurationError) -> RecordingConfiguration {
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
        return self
    }

    var problems: [ConfigurationProblem] {
        var check = ConfigurationCheck()
        check.range("distanceFilter", distanceFilter, Bounds.distanceFilter, "metres")
        check.range("speedMultiplier", speedMultiplier, Bounds.speedMultiplier)
        check.positive("stationaryRadius", stationaryRadius, upTo: Bounds.stationaryRadius, "metres")
        check.positive("minimumAccuracy", minimumAccuracy, upTo: Bounds.minimumAccuracy, "metres")
        check.positive("maximumSpeed", maximumSpeed, upTo: Bounds.maximumSpeed, "metres per second")
        check.seconds("maximumSpeedWithin", maximumSpeedWithin, within: Bounds.maximumSpeedWithin)
        check.positive("trustedSpeed", trustedSpeed, upTo: Bounds.maximumSpeed, "metres per second")
        check.positive("maximumJump", maximumJump, upTo: Bounds.maximumJump, "metres")
        check.seconds("maximumJumpAfter", maximumJumpAfter, within: Bounds.maximumJumpAfter)
        check.positive("accuracyGain", accuracyGain, upTo: Bounds.accuracyGain, "metres")
        check.positive("maximumDeviation", maximumDeviation, upTo: Bounds.maximumDeviation, "metres")
        check.positive(
            "maximumAltitudeDeviation", maximumAltitudeDeviation, upTo: Bounds.maximumAltitudeDeviation, "metres")
        check.seconds("maximumInterval", maximumInterval, within: Bounds.maximumInterval)
        check.seconds("interval", interval, within: Bounds.interval)
        check.positive("angle", angle, upTo: Bounds.angle, "degrees")
        check.seconds("requiredMotionDuration", requiredMotionDuration, within: Bounds.requiredMotionDuration)
        check.seconds("stillAfter", stillAfter, within: Bounds.stillAfter)
        check.seconds("standbyAfter", standbyAfter, within: Bounds.standbyAfter)
        check.seconds("standbyInterval", standbyInterval, within: Bounds.standbyInterval)
        check.seconds("maximumAge", maximumAge, within: Bounds.maximumAge)
        check.seconds("maximumLead", maximumLead, within: Bounds.maximumLead)
        check.seconds("flushTimeout", flushTimeout, within: Bounds.flushTimeout)
        if let maximumThreshold, !(maximumThreshold >= Double(distanceFilter) && maximumThreshold.isFinite) {
            check.problem(
                "maximumThreshold", "\(maximumThreshold)", "at least distanceFilter (\(distanceFilter)) metres")
        }
        if standbyAfter > .zero, standbyAfter < stillAfter {
            check.problem("standbyAfter", standbyAfter.inWords, "0 or at least stillAfter (\(stillAfter.inWords))")
        }
        return check.problems
    }

    /// The distance filter that this configuration describes.
    public var distanceRule: DistanceFilter {
        DistanceFilter(
            base: Double(distanceFilter), speedMultiplier: disableSpeedMultiplier ? nil : speedMultiplier,
            maximum: maximumThreshold)
    }
}
