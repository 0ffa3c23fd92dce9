import TrackEngine

extension TrackerState {
    /// The state in one word.
    var word: String {
        switch self {
        case .stopped: "stopped"
        case .running: "running"
        case .stopping: "stopping"
        }
    }
}

extension SourceStatus {
    /// The status in one word.
    var word: String {
        switch self {
        case .connecting: "connecting"
        case .waiting: "waiting"
        case .receiving: "receiving"
        case .sleeping: "sleeping"
        case .unavailable: "unavailable"
        case .finished: "finished"
        }
    }

    /// The detail that the source reports with its status.
    var detail: String? {
        switch self {
        case .waiting(let detail), .unavailable(let detail): detail
        case .connecting, .receiving, .sleeping, .finished: nil
        }
    }
}

extension SyncState.Activity {
    /// The activity in one or two words.
    var word: String {
        switch self {
        case .waiting: "waiting"
        case .sending: "sending"
        case .backingOff: "backing off"
        case .paused: "paused"
        }
    }
}

extension SourceReport {
    /// The motion of the object, in one word.
    var motionWord: String { isStandby ? "standby" : isMoving ? "moving" : "still" }
}
