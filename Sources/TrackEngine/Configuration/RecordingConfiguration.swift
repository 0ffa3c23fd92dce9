/// The selection of fixes to record: CalmGeo's recording keys with their names and defaults, and the keys that a
/// machine without an operating system's location service needs in addition.
///
/// A ``TrackPipeline`` and a ``Tracker`` apply every key. The delivery of records is configured separately: each sink
/// has its own configuration, and ``SinkBinding`` its ``SyncConfiguration``. `RecordingConfiguration()` works without
/// changes. ``validated()`` rejects impossible values; ``Tracker`` calls it.
public struct RecordingConfiguration: Sendable, Hashable {
    // MARK: CalmGeo

    /// The required accuracy of positions. Default ``DesiredAccuracy/best``. It never rejects a fix
    /// (``minimumAccuracy`` does); a coarse value asks the source for fewer fixes, so that the receiver can sleep.
    public var desiredAccuracy: DesiredAccuracy = .best
    /// The base distance between records, in metres, 0 to 100 000. Default 16. 0 keeps every fix at another position; a
    /// much larger value loses corners.
    public var distanceFilter: Int = 16
    /// Turns the scaling by speed off. Default false.
    public var disableSpeedMultiplier: Bool = false
    /// The factor by which each 5 m/s of speed stretches the distance, 0 to 1000. Default 3.1. See ``DistanceFilter``.
    public var speedMultiplier: Double = 3.1
    /// The radius around the position of rest that a fix must leave to end standby, in metres, above 0 to 100 000.
    /// Default 25. A value too small ends standby on noise; a value too large misses a short move.
    public var stationaryRadius: Double = 25
    /// Adds the activity to each record. Default false.
    public var fetchActivity: Bool = false

    // MARK: Trace

    /// Rejects fixes whose horizontal accuracy is worse, in metres above 0 to 100 000; a fix without an accuracy
    /// passes. Default off.
    public var minimumAccuracy: Double?
    /// Rejects fixes of fewer satellites, 1 to 64; a fix without their number passes. Default off; 5 suits receivers
    /// that report no accuracy. A value too large rejects good fixes under trees and between houses.
    public var minimumSatellites: Int?
    /// Records only in motion: the activity must have been a moving one for this long (0 to 1 hour) before records
    /// begin, and a stationary one for this long before they end. Default off.
    public var requiredMotionDuration: Duration?

    // MARK: Recording rule

    /// The rule that selects the fixes of a moving object to record. Default ``RecordingRule/distance``, CalmGeo's
    /// rule.
    public var record: RecordingRule = .distance
    /// With ``RecordingRule/deviation``: the maximum distance of the rebuilt track from any accepted fix, over ground,
    /// in metres above 0 to 10 000. Default 10. Below the receiver's noise nearly every fix is kept.
    public var maximumDeviation: Double = 10
    /// With ``RecordingRule/deviation``: the maximum difference of the rebuilt altitude from that of any accepted fix,
    /// in metres above 0 to 10 000. Default off; altitudes are noisier than positions, and a small bound keeps many
    /// more fixes.
    public var maximumAltitudeDeviation: Double?
    /// With ``RecordingRule/deviation``: the maximum lag of the newest record behind a moving object that has left its
    /// position by more than ``maximumDeviation``, 0 (no limit) to 1 day. Default 30 s. With the distance bound alone,
    /// a straight motorway would be decided only at its end.
    public var maximumInterval: Duration = .seconds(30)
    /// With ``RecordingRule/distance``: also records a fix at any position whose horizontal accuracy is better than the
    /// last record's by at least this, in metres above 0 to 100 000. Default off.
    public var accuracyGain: Double?
    /// With ``RecordingRule/any`` and ``RecordingRule/all``: the time between records of a moving object, 0.1 s to 1
    /// day. Default off.
    public var interval: Duration?
    /// With ``RecordingRule/any`` and ``RecordingRule/all``: the turn between records, in degrees above 0 to 180.
    /// Default off. It counts only at 1 m/s and more, because below that speed a receiver's course is unreliable.
    public var angle: Double?

    // MARK: This engine

    /// A cap on the distance scaled by speed, in metres, at least ``distanceFilter`` and up to 1 000 000 000. Default
    /// off.
    public var maximumThreshold: Double?
    /// The time without a recorded movement after which the object counts as still, 0 (never) to 1 day. Default 60 s.
    /// Missing fixes do not mean rest: a fix near the last record, in the second half of this time or later, is also
    /// required. At least one and a half of the interval of ``desiredAccuracy`` applies.
    public var stillAfter: Duration = .seconds(60)
    /// The time after the last movement at which standby begins, 0 (never) to 1 day, and not shorter than
    /// ``stillAfter``. Default 120 s.
    public var standbyAfter: Duration = .seconds(120)
    /// The interval between fixes in standby, 1 s to 1 hour. Default 30 s. A longer interval saves power and detects a
    /// departure later.
    public var standbyInterval: Duration = .seconds(30)
    /// Rejects a fix that is only reachable from the last one faster than this, in metres per second above 0 to 100
    /// 000. Default off; 60 suits cars. Five such fixes in a row that agree with each other win over a single outlier.
    public var maximumSpeed: Double?
    /// With ``maximumSpeed``: checks only fixes within this time after the last one, 0.1 s to 1 day. Default off: all.
    public var maximumSpeedWithin: Duration?
    /// With ``maximumSpeed``: accepts a fix if the receiver itself reports a speed up to this, in metres per second
    /// above 0 to 100 000, with an accuracy of 2 m/s or better: then the previous fix was wrong. Default off.
    public var trustedSpeed: Double?
    /// Holds back a fix that lies at least this many metres (above 0 to 1 000 000) from the last one after a silence of
    /// ``maximumJumpAfter``, until a second one within 150 m of it, or five in a row that agree with each other,
    /// confirm it. The fix held back is not recorded. Default off; it suits sources with a fix every few seconds.
    public var maximumJump: Double?
    /// With ``maximumJump``: the time without an accepted fix, 0 to 1 day. Default 120 s.
    public var maximumJumpAfter: Duration = .seconds(120)
    /// Rejects live fixes older than this by the wall clock, 1 s to 1 day. Default off.
    public var maximumAge: Duration?
    /// Rejects live fixes farther in the future than this by the wall clock, 1 s to 1 day. Default off.
    public var maximumLead: Duration?
    /// The time limit of a graceful stop for the last sync, 0 to 10 minutes. Default 5 s.
    public var flushTimeout: Duration = .seconds(5)

    /// Creates a configuration with the defaults.
    public init() {}

    /// CalmGeo's recording without any settings: all defaults. ``CalmGeoConfiguration`` has its whole table.
    public static let calmGeo = RecordingConfiguration()
}

/// The required accuracy of positions, with the values of CalmGeo's and Core Location's constants.
public enum DesiredAccuracy: Double, Sendable, Hashable, CaseIterable {
    /// The best available, with other sensors' help.
    case bestForNavigation = -2
    /// The best available.
    case best = -1
    /// Ten metres.
    case tenMeters = 10
    /// A hundred metres.
    case hundredMeters = 100
    /// A kilometre; one fix in ten seconds is enough.
    case kilometer = 1000
    /// Three kilometres; one fix a minute is enough.
    case threeKilometers = 3000

    /// The rate at which a moving object's source should deliver fixes.
    package var demand: FixDemand {
        switch self {
        case .bestForNavigation, .best, .tenMeters, .hundredMeters: .continuous
        case .kilometer: .occasional(every: .seconds(10))
        case .threeKilometers: .occasional(every: .seconds(60))
        }
    }
}
