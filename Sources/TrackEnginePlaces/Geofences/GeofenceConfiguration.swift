import TrackEngine

/// The assumptions of a ``GeofenceMonitor``.
public struct GeofenceConfiguration: Sendable, Hashable {
    /// The accuracy of a fix without one, in metres, above 0 and up to 10 000; by default 30, the approximate
    /// accuracy of single-frequency receivers in towns. A value that is too small causes false entries; one that is
    /// too large causes late ones.
    public var assumedAccuracy: Double
    /// The longest time between two fixes for which the line between them counts as the object's way, 1 s to 1 h; by
    /// default 2 min. Over a longer gap the way is unknown.
    public var maximumGap: Duration
    /// The longest such line, in metres, above 0 and up to 100 000; by default 10 km, which an aircraft flies in
    /// 40 s. A longer one is a jump.
    public var maximumStep: Double
    /// The largest possible speed of an object between two fixes, in metres per second, 50 to 100 000; by default
    /// 350, which no airliner reaches. A fix that would need a higher speed has no effect until the next one shows
    /// which of them is wrong. With a value that is too small, fast objects enter and leave one fix late; with one
    /// that is too large, single wild fixes cause transitions.
    public var maximumSpeed: Double

    /// The defaults, or others.
    public init(
        assumedAccuracy: Double = 30, maximumGap: Duration = .seconds(120), maximumStep: Double = 10_000,
        maximumSpeed: Double = 350
    ) {
        self.assumedAccuracy = assumedAccuracy
        self.maximumGap = maximumGap
        self.maximumStep = maximumStep
        self.maximumSpeed = maximumSpeed
    }

    func check() throws(ConfigurationError) {
        var check = ConfigurationCheck()
        check.positive("assumedAccuracy", assumedAccuracy, upTo: 10_000, "metres")
        check.seconds("maximumGap", maximumGap, 1...3600)
        check.positive("maximumStep", maximumStep, upTo: 100_000, "metres")
        check.range("maximumSpeed", maximumSpeed, 50...100_000, "metres per second")
        try check.finish()
    }
}
