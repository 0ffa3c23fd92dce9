import TrackEngine
import TrackEngineSettings

extension RejectionWarning {
    /// The reason's name and some advice, for logs and users. It contains no position.
    package var words: String { "\(reason.name): \(advice)" }

    private var advice: String {
        switch reason {
        case .stale, .future:
            "their times are \(difference) the machine's clock: that clock or the receiver's is wrong"
        case .invalidCoordinate, .nullIsland: "the receiver gives no place that can be: look at the receiver"
        case .duplicateTime: "the receiver's time does not advance: look at the receiver"
        case .backwardTime: "their times lie before that of the last fix: one of the two has a wrong date"
        case .inaccurate:
            "look at the antenna and its view of the sky, and at tracking.minimumAccuracy and tracking.minimumSatellites"
        case .implausibleSpeed: "look at the receiver, and at tracking.maximumSpeed"
        case .unconfirmedJump: "look at the receiver, and at tracking.maximumJump"
        case .paused, .hidden, .off, .notInMotion, .standby, .tooNear, .unneeded: "look at the section tracking"
        }
    }

    /// `7200 s behind`
    private var difference: String {
        let seconds = lag.components.seconds
        return seconds < 0 ? "\(-seconds) s ahead of" : "\(seconds) s behind"
    }

    /// The refusal for programs.
    var json: JSONValue {
        .members(
            ("reason", .string(reason.name)), ("since", since.json), ("fixes", .whole(fixes)),
            ("lag", .whole(lag.components.seconds)), ("advice", .string(advice)))
    }
}
