public import TrackEngine

/// What counts as a stay and as a trip.
///
/// The defaults of ``stopAfter``, ``minimumDistance`` and ``gap`` are those of Traccar's present trip logic (180 s, 200 m,
/// 3600 s), so that a fleet that moves from there sees the same stops where both are right. The others were chosen on the
/// tuning tracks of `Benchmarks/STOPS.md`, which are not the tracks of its table.
public struct StayAndTripSettings: Sendable, Hashable {
    /// How long the object must rest for a stay; a trip ends where the stay begins. 30 s to 24 h; default 180 s.
    ///
    /// Shorter, and waiting at a light becomes a stay; longer, and a child that is dropped at school is none.
    public var stopAfter = Duration.seconds(180)
    /// How far from their middle the fixes of a stay lie, in metres, besides their own uncertainty. 10 to 1000; default 50.
    ///
    /// For a ``stopAfter`` below 125 s it counts as at most 0.4 m for each second, because a walker must not fit into it.
    public var radius = 50.0
    /// How far a trip leads, in metres; shorter ones are never told. 20 to 10 000; default 200.
    public var minimumDistance = 200.0
    /// After so long without a fix a trip is over where the last one was. 5 minutes to 24 h; default 3600 s.
    public var gap = Duration.seconds(3600)
    /// Fixes less accurate than this, in metres, decide nothing unless they lie farther away. 20 to 10 000; default 200,
    /// as Overland counts fixes for trips.
    public var maximumAccuracy = 200.0
    /// Whether stays are told.
    public var reportsVisits = true
    /// Whether trips are told that nobody asked for.
    public var reportsTrips = true

    /// The defaults.
    public init() {}

    /// The settings themselves, if every value is possible.
    ///
    /// - Throws: `ConfigurationError` with every problem at once.
    public func validated() throws(ConfigurationError) -> StayAndTripSettings {
        var check = ConfigurationCheck()
        check.seconds("stopAfter", stopAfter, 30...86_400)
        check.range("radius", radius, 10...1000, "metres")
        check.range("minimumDistance", minimumDistance, 20...10_000, "metres")
        check.seconds("gap", gap, 300...86_400)
        check.range("maximumAccuracy", maximumAccuracy, 20...10_000, "metres")
        if gap < stopAfter {
            check.problem("gap", gap.inWords, "at least stopAfter (\(stopAfter.inWords))")
        }
        try check.finish()
        return self
    }
}

/// The settings as the detector reckons with them.
struct StopRule: Sendable, Hashable, BitwiseCopyable {
    /// Metres that nobody on foot stays within for a second of ``stopAfter``: a stroll of 0.8 m/s leaves a disc of this
    /// radius after the time.
    private static let strollingRadius = 0.4
    /// In seconds.
    let stopAfter: Double
    /// In metres.
    let radius: Double
    /// In metres.
    let minimumDistance: Double
    /// In seconds.
    let gap: Double
    /// In metres.
    let maximumAccuracy: Double

    init(_ settings: StayAndTripSettings) {
        stopAfter = settings.stopAfter.inSeconds
        radius = min(settings.radius, Self.strollingRadius * stopAfter)
        minimumDistance = settings.minimumDistance
        gap = settings.gap.inSeconds
        maximumAccuracy = settings.maximumAccuracy
    }

    /// How far from the middle of a stop a fix may lie that belongs to it, in metres.
    func reach(of fix: StopFix) -> Double { radius + min(fix.accuracy, 2 * radius) }

    /// Whether an object that is this far from where it was before a silence, both in seconds and metres, has rested in it:
    /// a silence as long as a stop, after which it is no farther than a stroll of 0.4 m/s leads, nor out of reach by more than
    /// 0.1 m for each second. The second is for phones that tell nothing until they have moved for some 50 m.
    ///
    /// | silence | reach 60 m | farthest |
    /// |---|---|---|
    /// | 60 s | | 24 m |
    /// | 180 s | | 72 m |
    /// | 900 s | 60 + 90 m | 150 m |
    /// | 3600 s | | 200 m, the minimum distance |
    func hasRested(for silence: Double, distance: Double, fix: StopFix) -> Bool {
        guard silence >= stopAfter else { return false }
        return distance <= min(stroll(for: silence), reach(of: fix) + 0.1 * silence, minimumDistance)
    }

    /// How far a stroll leads that hardly is one, in metres.
    func stroll(for seconds: Double) -> Double { Self.strollingRadius * seconds }

    /// What each of two fixes has of the time between them, in seconds: half of it, at least half a second and at most half a
    /// stop.
    func weight(_ seconds: Double) -> Double { min(max(seconds, 1), stopAfter) / 2 }

    /// When an object left a place that is this far from the first fix elsewhere, after a silence: at a walk of 1.4 m/s.
    func departure(before fix: StopFix, distance: Double) -> Timestamp { fix.time.advanced(seconds: -distance / 1.4) }

    /// How often a fix is remembered for the search of a stop, in seconds: its beginning is known as exactly.
    var memoryStep: Double { stopAfter / 36 }

    /// How often a stop is looked for, in seconds.
    var searchStep: Double { stopAfter / 8 }
}
