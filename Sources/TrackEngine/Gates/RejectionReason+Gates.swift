extension RejectionReason {
    /// Whether the gates refuse a fix for this, whatever the recording rule: it says nothing about where the object is.
    package var isOfGates: Bool {
        switch self {
        case .invalidCoordinate, .nullIsland, .duplicateTime, .backwardTime, .stale, .future, .inaccurate,
            .implausibleSpeed, .unconfirmedJump, .paused, .hidden, .off:
            true
        case .notInMotion, .standby, .tooNear, .unneeded: false
        }
    }
}
