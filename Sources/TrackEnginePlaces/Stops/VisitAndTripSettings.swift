public import TrackEngine

/// The criteria for stays and trips.
///
/// The defaults of ``stopAfter``, ``minimumDistance`` and ``gap`` are those of Traccar's present trip logic (180 s,
/// 200 m, 3600 s): a fleet that migrates from Traccar sees the same stops where both are right. The others were
/// chosen with the tuning tracks of `Benchmarks/STOPS.md`, which are not the tracks of its table.
public struct VisitAndTripSettings: Sendable, Hashable {
    /// The shortest rest that is a stay; a trip ends where the stay begins. 30 s to 24 h; default 180 s.
    ///
    /// With a shorter value, waiting at a traffic light becomes a stay; with a longer one, dropping off a child at
    /// school does not.
    public var stopAfter = Duration.seconds(180)
    /// The largest distance of a stay's fixes from their middle, in metres, in addition to their own accuracy. 10 to
    /// 1000; default 50.
    ///
    /// If ``stopAfter`` is below 125 s, the radius is limited to 0.4 m for each second, so that a walker does not
    /// count as resting.
    public var radius = 50.0
    /// The minimum distance of a trip, in metres; shorter ones are not reported. 20 to 10 000; default 200.
    public var minimumDistance = 200.0
    /// The time without a fix after which a trip ends at the last fix. 5 minutes to 24 h; default 3600 s.
    public var gap = Duration.seconds(3600)
    /// The worst accuracy of a fix that counts, in metres; a less accurate one counts only if it is clearly farther
    /// away than `minimumDistance`. 20 to 10 000; default 200, the limit of Overland for fixes of trips.
    public var maximumAccuracy = 200.0
    /// Whether stays are reported.
    public var reportsVisits = true
    /// Whether automatic trips are reported, in addition to requested ones.
    public var reportsTrips = true

    /// The defaults.
    public init() {}

    /// Returns the settings if all values are valid.
    ///
    /// - Throws: `ConfigurationError` with all problems at once.
    public func validated() throws(ConfigurationError) -> VisitAndTripSettings {
        var check = ConfigurationCheck()
        var settings = TrackEventSettings()
        settings.stays = self
        check.values(of: settings, TrackEventSettings.settings)
        check.range("maximumAccuracy", maximumAccuracy, 20...10_000, "metres")
        if gap < stopAfter {
            check.problem("gap", gap.inWords, "at least stopAfter (\(stopAfter.inWords))")
        }
        try check.finish()
        return self
    }
}

/// The settings in the form in which the detector computes with them.
struct StopRule: Sendable, Hashable, BitwiseCopyable {
    /// The limit of the radius, in metres for each second of ``stopAfter``: a stroll of 0.8 m/s leaves a disc of
    /// this radius within that time.
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

    init(_ settings: VisitAndTripSettings) {
        stopAfter = settings.stopAfter.inSeconds
        radius = min(settings.radius, Self.strollingRadius * stopAfter)
        minimumDistance = settings.minimumDistance
        gap = settings.gap.inSeconds
        maximumAccuracy = settings.maximumAccuracy
    }

    /// The largest distance of a fix from the middle of its stop, in metres.
    func reach(of fix: StopFix) -> Double { radius + min(fix.accuracy, 2 * radius) }

    /// Whether an object rested during a silence, given the silence in seconds and the distance in metres between
    /// the positions before and after it. The silence must be at least as long as a stop. The distance must not
    /// exceed a stroll of 0.4 m/s, nor the reach by more than 0.1 m for each second, nor the minimum distance. The
    /// second limit is for phones that report no fix until they have moved for some 50 m.
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

    /// The distance of a very slow stroll, in metres.
    func stroll(for seconds: Double) -> Double { Self.strollingRadius * seconds }

    /// The share of each of two fixes in the time between them, in seconds: half of it, but at least half a second
    /// and at most half a stop.
    func weight(_ seconds: Double) -> Double { min(max(seconds, 1), stopAfter) / 2 }

    /// The time at which an object left a place at this distance from the first fix elsewhere, after a silence: at a
    /// walk of 1.4 m/s.
    func departure(before fix: StopFix, distance: Double) -> Timestamp { fix.time.advanced(seconds: -distance / 1.4) }

    /// The accuracy of a fix without one, in metres: that of a phone, but no more than the distance that a walker
    /// crosses in a small part of a stop. Otherwise a walker would count as resting.
    ///
    /// | stop of | accuracy | a walk of 1.4 m/s across it |
    /// |---|---|---|
    /// | 60 s | 10 m | 14 s |
    /// | 90 s and more | 15 m | 21 s |
    var assumedAccuracy: Double { min(15, stopAfter / 6) }

    /// The interval at which fixes are remembered for the search of a stop, in seconds; the arrival has the same
    /// precision.
    var memoryStep: Double { stopAfter / 36 }

    /// The interval at which a stop is searched, in seconds.
    var searchStep: Double { stopAfter / 8 }
}
