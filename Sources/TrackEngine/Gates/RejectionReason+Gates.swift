extension RejectionReason {
    /// Whether a fix with this reason is rejected under every recording rule: it is no evidence of the object's
    /// position.
    package var isOfGates: Bool {
        switch self {
        case .invalidCoordinate, .nullIsland, .duplicateTime, .backwardTime, .stale, .future, .inaccurate,
            .implausibleSpeed, .unconfirmedJump, .paused, .hidden, .off:
            true
        case .notInMotion, .standby, .tooNear, .unneeded: false
        }
    }
}
