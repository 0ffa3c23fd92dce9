extension RecordingConfiguration {
    /// The configuration itself, if every value is possible.
    ///
    /// - Throws: ``ConfigurationError`` with every problem at once.
    public func validated() throws(ConfigurationError) -> RecordingConfiguration {
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
        return self
    }

    var problems: [ConfigurationProblem] {
        var check = ConfigurationCheck()
        check.range("distanceFilter", distanceFilter, 0...100_000, "metres")
        check.range("speedMultiplier", speedMultiplier, 0...1000)
        check.positive("stationaryRadius", stationaryRadius, upTo: 100_000, "metres")
        check.positive("minimumAccuracy", minimumAccuracy, upTo: 100_000, "metres")
        check.positive("maximumSpeed", maximumSpeed, upTo: 100_000, "metres per second")
        check.positive("maximumDeviation", maximumDeviation, upTo: 10_000, "metres")
        check.positive("maximumAltitudeDeviation", maximumAltitudeDeviation, upTo: 10_000, "metres")
        check.seconds("maximumInterval", maximumInterval, 0...86_400)
        if let interval, interval < .milliseconds(100) || interval > .seconds(86_400) {
            check.problem("interval", interval.inWords, "0.1 to 86400 seconds")
        }
        check.positive("angle", angle, upTo: 180, "degrees")
        check.seconds("requiredMotionDuration", requiredMotionDuration, 0...3600)
        check.seconds("stillAfter", stillAfter, 0...86_400)
        check.seconds("standbyAfter", standbyAfter, 0...86_400)
        check.seconds("standbyInterval", standbyInterval, 1...3600)
        check.seconds("maximumAge", maximumAge, 1...86_400)
        check.seconds("maximumLead", maximumLead, 1...86_400)
        check.seconds("flushTimeout", flushTimeout, 0...600)
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
