import TrackEngine

/// What a ``GeofenceMonitor`` takes for granted.
public struct GeofenceConfiguration: Sendable, Hashable {
    /// The accuracy of a fix that says none, in metres, above 0 and up to 10 000; by default 30, about
    /// what receivers with one frequency reach in towns. Too small a value gives false entries, too large a one late ones.
    public var assumedAccuracy: Double
    /// How long ago the fix before may be for the line between both to be taken as the object's way, 1 s to 1 h; by default
    /// 2 min. Over a longer gap nobody knows the way.
    public var maximumGap: Duration
    /// How long that line may be, in metres, above 0 and up to 100 000; by default 10 km, which an aircraft flies in 40 s. A longer
    /// one is a jump.
    public var maximumStep: Double
    /// Faster than this no object gets from one fix to the next, in metres per second, 50 to 100 000; by default 350, which
    /// no airliner reaches. A fix that would need more decides nothing until the next one says which of them is wrong.
    /// Too small a value makes fast objects enter and leave one fix late, too large a one lets single wild fixes do so.
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
