extension RecordingConfiguration {
    /// The values with their bounds, in the order of the keys of an agent's section `tracking`.
    package static let settings: [Setting<Self>] = [
        Setting("desiredAccuracy", .accuracy(\.desiredAccuracy))
            .meaning(
                "How exact positions need to be; a coarse value asks the receiver for fewer fixes and rejects none."),
        Setting("record", .record(\.record))
            .meaning(
                "Which fixes become records: by distance, any or all of distance, interval and angle, or deviation."),
        Setting("maximumDeviation", .positive(\.maximumDeviation, upTo: 10_000, "metres"))
            .meaning("With deviation: how far the recorded track may be from any accepted fix, over ground."),
        Setting("maximumAltitudeDeviation", .optionalPositive(\.maximumAltitudeDeviation, upTo: 10_000, "metres"))
            .meaning("With deviation: how far the recorded height may be from that of any fix; null for no matter."),
        Setting("maximumInterval", .seconds(\.maximumInterval, 0...86_400))
            .meaning("With deviation: how far the newest record may lag behind a moving object; 0 sets no limit."),
        Setting("interval", .optionalSeconds(\.interval, 0.1...86_400))
            .meaning("With any and all: the time between records of a moving object."),
        Setting("angle", .optionalPositive(\.angle, upTo: 180, "degrees"))
            .meaning("With any and all: the turn between records."),
        Setting("accuracyGain", .optionalPositive(\.accuracyGain, upTo: 100_000, "metres"))
            .meaning(
                "With distance: also records a fix that is more exact than the last record by this; null for none."),
        Setting("distanceFilter", .integer(\.distanceFilter, 0...100_000, "metres"))
            .meaning("The base distance between records; 0 keeps every fix that moved at all."),
        Setting("disableSpeedMultiplier", .flag(\.disableSpeedMultiplier))
            .meaning("Turns off that speed stretches the distance between records."),
        Setting("speedMultiplier", .number(\.speedMultiplier, 0...1000))
            .meaning("How much each 5 m/s of speed stretches the distance between records."),
        Setting("stationaryRadius", .positive(\.stationaryRadius, upTo: 100_000, "metres"))
            .meaning("The radius around the place of rest that a fix must leave to end standby."),
        Setting("fetchActivity", .flag(\.fetchActivity))
            .meaning("Adds the activity, such as driving or walking, to each record."),
        Setting("minimumAccuracy", .optionalPositive(\.minimumAccuracy, upTo: 100_000, "metres"))
            .meaning("Rejects fixes with a worse horizontal accuracy; a fix without an accuracy passes."),
        Setting("minimumSatellites", .optionalInteger(\.minimumSatellites, 1...64, "satellites"))
            .meaning("Rejects fixes of fewer satellites; a fix without their number passes."),
        Setting("requiredMotionDuration", .optionalSeconds(\.requiredMotionDuration, 0...3600))
            .meaning("Records only in motion that has lasted so long, and until rest has; null records always."),
        Setting("maximumThreshold", .optionalPositive(\.maximumThreshold, upTo: 1_000_000_000, "metres"))
            .meaning("A cap on the distance that speed has stretched."),
        Setting("stillAfter", .seconds(\.stillAfter, 0...86_400))
            .meaning("How long near fixes without a recorded movement must last to mean still; 0 for never."),
        Setting("standbyAfter", .seconds(\.standbyAfter, 0...86_400))
            .meaning("How long after the last movement the receiver may sleep; 0 for never."),
        Setting("standbyInterval", .seconds(\.standbyInterval, 1...3600))
            .meaning("How often the receiver looks in standby."),
        Setting("maximumSpeed", .optionalPositive(\.maximumSpeed, upTo: 100_000, "metres per second"))
            .meaning("Rejects a fix that could only have been reached faster than this."),
        Setting("maximumSpeedWithin", .optionalSeconds(\.maximumSpeedWithin, 0.1...86_400))
            .meaning("With maximumSpeed: judges only fixes that follow within this time; null for all."),
        Setting("trustedSpeed", .optionalPositive(\.trustedSpeed, upTo: 100_000, "metres per second"))
            .meaning("With maximumSpeed: passes a fix that reports a speed up to this itself, accurate to 2 m/s."),
        Setting("maximumJump", .optionalPositive(\.maximumJump, upTo: 1_000_000, "metres"))
            .meaning("Holds a fix so far away after a silence back until a second one within 150 m confirms it."),
        Setting("maximumJumpAfter", .seconds(\.maximumJumpAfter, 0...86_400))
            .meaning("With maximumJump: how long the silence is."),
        Setting("maximumAge", .optionalSeconds(\.maximumAge, 1...86_400))
            .meaning("Rejects live fixes that are older by the wall clock."),
        Setting("maximumLead", .optionalSeconds(\.maximumLead, 1...86_400))
            .meaning("Rejects live fixes that are farther in the future by the wall clock."),
        Setting("flushTimeout", .seconds(\.flushTimeout, 0...600))
            .meaning("How long a graceful stop may spend on a last delivery."),
    ]

    /// Returns the configuration itself, if every value is valid.
    ///
    /// - Throws: ``ConfigurationError`` with every problem at once.
    public func validated() throws(ConfigurationError) -> RecordingConfiguration {
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
        return self
    }

    var problems: [ConfigurationProblem] {
        var check = ConfigurationCheck()
        check.values(of: self, Self.settings)
        if let maximumThreshold, maximumThreshold > 0, maximumThreshold < Double(distanceFilter) {
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
