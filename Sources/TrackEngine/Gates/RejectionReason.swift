/// The reason why a fix did not become a record. Each is counted, and each decision can be listed.
public enum RejectionReason: UInt8, Sendable, Hashable, CaseIterable, BitwiseCopyable {
    /// Latitude or longitude is not finite or out of range.
    case invalidCoordinate
    /// The position is exactly 0, 0; or one of both is exactly 0 and the previous fix is far from that line, so that
    /// only the other one was known. Without a previous fix, or with time enough to reach the line, the fifth such fix
    /// in a row is believed if it agrees with the others; against a previous fix near others, there must be more.
    case nullIsland
    /// The time is that of the previous fix, or of one that was recorded and later outvoted as wrongly dated.
    case duplicateTime
    /// The time is before that of the previous fix. Five such fixes in a row that agree with each other win over a
    /// single fix dated ahead.
    case backwardTime
    /// Older than `maximumAge` by the wall clock.
    case stale
    /// Farther ahead than `maximumLead` by the wall clock.
    case future
    /// The horizontal accuracy is worse than `minimumAccuracy`, or there are fewer satellites than
    /// `minimumSatellites`.
    case inaccurate
    /// Only reachable from the previous fix at more than `maximumSpeed`. Five such fixes in a row that agree with each
    /// other win over a single outlier before them.
    case implausibleSpeed
    /// Far away after a silence (`maximumJump`), and not confirmed by a second fix nearby yet.
    case unconfirmedJump
    /// The object is not in motion, and `requiredMotionDuration` is set.
    case notInMotion
    /// In standby, and not beyond `stationaryRadius` of the place of rest.
    case standby
    /// Not farther from the last record than the distance filter requires.
    case tooNear
    /// The track rebuilt from the records passes the fix within the bound; with the rule `deviation`, known only later.
    case unneeded
    /// The tracker is paused. Such a fix is counted but not reported to observers.
    case paused
    /// The position is hidden (``PrivacyFilter``). Such a fix is counted but not reported to observers.
    case hidden
    /// Tracking is off at that time or place. Such a fix is counted but not reported to observers.
    case off

    /// A short name for logs, statistics and listings.
    public var name: String {
        switch self {
        case .invalidCoordinate: "invalid-coordinate"
        case .nullIsland: "null-island"
        case .duplicateTime: "duplicate-time"
        case .backwardTime: "backward-time"
        case .stale: "stale"
        case .future: "future"
        case .inaccurate: "inaccurate"
        case .implausibleSpeed: "implausible-speed"
        case .unconfirmedJump: "unconfirmed-jump"
        case .notInMotion: "not-in-motion"
        case .standby: "standby"
        case .tooNear: "too-near"
        case .unneeded: "unneeded"
        case .paused: "paused"
        case .hidden: "hidden"
        case .off: "off"
        }
    }
}
