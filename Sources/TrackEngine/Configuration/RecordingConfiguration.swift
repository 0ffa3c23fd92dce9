/// What the engine keeps of a track, and when: CalmGeo's recording keys with their names and defaults, and what a machine
/// without an operating system's location service needs besides.
///
/// A ``TrackPipeline`` and a ``Tracker`` act on every key. Where and when records are delivered is not part of it: each
/// sink has its own configuration, and ``SinkBinding`` its ``SyncConfiguration``. `RecordingConfiguration()` works as it
/// is. ``validated()`` refuses impossible values; ``Tracker`` calls it.
public struct RecordingConfiguration: Sendable, Hashable {
    // MARK: CalmGeo

    /// How exact positions need to be. Default ``DesiredAccuracy/best``. It never rejects a fix (``minimumAccuracy``
    /// does); a coarse value asks the source for fewer fixes, so that the receiver can sleep.
    public var desiredAccuracy: DesiredAccuracy = .best
    /// The base distance between records, in metres, 0 to 100 000. Default 16. 0 keeps every fix that moved at all; much
    /// more loses corners.
    public var distanceFilter: Int = 16
    /// Turns the scaling by speed off. Default false.
    public var disableSpeedMultiplier: Bool = false
    /// How much each 5 m/s of speed stretches the distance, 0 to 1000. Default 3.1. See ``DistanceFilter``.
    public var speedMultiplier: Double = 3.1
    /// The radius around the place of rest that a fix must leave to end standby, in metres, above 0 to 100 000. Default
    /// 25. Too little wakes on noise; too much misses a short move.
    public var stationaryRadius: Double = 25
    /// Adds the activity to each record. Default false.
    public var fetchActivity: Bool = false

    // MARK: Trace

    /// Rejects fixes whose horizontal accuracy is worse, in metres above 0 to 100 000; a fix without an accuracy passes.
    /// Default off.
    public var minimumAccuracy: Double?
    /// Records only in motion: the activity must have been a moving one for this long (0 to 1 hour) before records
    /// begin, and a stationary one for this long before they end. Default off.
    public var requiredMotionDuration: Duration?

    // MARK: Recording rule

    /// Which fixes of a moving object become records. Default ``RecordingRule/distance``, CalmGeo's rule.
    public var record: RecordingRule = .distance
    /// With ``RecordingRule/deviation``: how far the rebuilt track may be from any accepted fix, over ground, in metres
    /// above 0 to 10 000. Default 10. Below the receiver's noise nearly every fix is kept.
    public var maximumDeviation: Double = 10
    /// With ``RecordingRule/deviation``: how far the rebuilt altitude may be from that of any accepted fix, in metres
    /// above 0 to 10 000. Default off; altitudes are noisier than places, and a small bound keeps many more fixes.
    public var maximumAltitudeDeviation: Double?
    /// With ``RecordingRule/deviation``: how far the newest record may lag behind a moving object that has left its place
    /// by more than ``maximumDeviation``, 0 (for ever) to 1 day. Default 30 s. The bound alone would let a straight
    /// motorway be decided only at its end.
    public var maximumInterval: Duration = .seconds(30)
    /// With ``RecordingRule/distance``: a fix is recorded, too, whose horizontal accuracy is better than the last record's by
    /// at least this, in metres above 0 to 100 000, wherever it lies. Default off.
    public var accuracyGain: Double?
    /// With ``RecordingRule/any`` and ``RecordingRule/all``: the time between records of a moving object, 0.1 s to 1 day.
    /// Default off.
    public var interval: Duration?
    /// With ``RecordingRule/any`` and ``RecordingRule/all``: the turn between records, in degrees above 0 to 180. Default
    /// off. It counts only at 1 m/s and more, where a receiver knows its course.
    public var angle: Double?

    // MARK: This engine

    /// A cap on the distance scaled by speed, in metres, at least ``distanceFilter``. Default off.
    public var maximumThreshold: Double?
    /// How long without a recorded movement until the object counts as still, 0 (never) to 1 day. Default 60 s. Silence is
    /// not rest: it also takes a fix near the last record, in the second half of this time or later. At least one and a
    /// half of the interval that ``desiredAccuracy`` asks for.
    public var stillAfter: Duration = .seconds(60)
    /// How long after the last movement until standby, 0 (never) to 1 day, and not shorter than ``stillAfter``. Default
    /// 120 s.
    public var standbyAfter: Duration = .seconds(120)
    /// How often the source looks in standby, 1 s to 1 hour. Default 30 s. More saves power and notices a departure
    /// later.
    public var standbyInterval: Duration = .seconds(30)
    /// Rejects a fix that the last one could only have reached faster than this, in metres per second above 0 to
    /// 100 000. Default off; 60 suits cars. Five such fixes in a row that agree with each other win over a single outlier.
    public var maximumSpeed: Double?
    /// With ``maximumSpeed``: judges only fixes that follow on the last one within this time, 0.1 s to 1 day. Default off: all.
    public var maximumSpeedWithin: Duration?
    /// With ``maximumSpeed``: a fix passes for which the receiver itself tells a speed up to this, in metres per second above
    /// 0 to 100 000, and knows it to 2 m/s: it was the fix before that was off. Default off.
    public var trustedSpeed: Double?
    /// Holds a fix back that lies at least so many metres (above 0 to 1 000 000) from the last one after a silence of
    /// ``maximumJumpAfter``, until a second one within 150 m of it, or five in a row that agree with each other, confirm it. The
    /// fix held back is not recorded. Default off; it suits sources that tell a fix every few seconds.
    public var maximumJump: Double?
    /// With ``maximumJump``: how long nothing must have passed, 0 to 1 day. Default 120 s.
    public var maximumJumpAfter: Duration = .seconds(120)
    /// Rejects live fixes older than this by the wall clock, 1 s to 1 day. Default off.
    public var maximumAge: Duration?
    /// Rejects live fixes farther in the future than this by the wall clock, 1 s to 1 day. Default off.
    public var maximumLead: Duration?
    /// How long a graceful stop may spend on a last sync, 0 to 10 minutes. Default 5 s.
    public var flushTimeout: Duration = .seconds(5)

    /// The defaults.
    public init() {}

    /// What CalmGeo records when nothing is configured: all defaults. ``CalmGeoConfiguration`` takes its whole table.
    public static let calmGeo = RecordingConfiguration()
}

/// How exact positions need to be, with the values of CalmGeo's and Core Location's constants.
public enum DesiredAccuracy: Double, Sendable, Hashable, CaseIterable {
    /// The best there is, with other sensors' help.
    case bestForNavigation = -2
    /// The best there is.
    case best = -1
    /// Ten metres.
    case tenMeters = 10
    /// A hundred metres.
    case hundredMeters = 100
    /// A kilometre; one fix in ten seconds is enough.
    case kilometer = 1000
    /// Three kilometres; one fix a minute is enough.
    case threeKilometers = 3000

    /// How much a moving object's source should deliver.
    package var demand: FixDemand {
        switch self {
        case .bestForNavigation, .best, .tenMeters, .hundredMeters: .continuous
        case .kilometer: .occasional(every: .seconds(10))
        case .threeKilometers: .occasional(every: .seconds(60))
        }
    }
}
