/// The activity of the tracked object, as reported by the source or inferred from its speed.
public enum Activity: UInt8, Sendable, Hashable, CaseIterable, BitwiseCopyable {
    /// Unknown; counts as movement for motion gating, as in Trace.
    case unknown
    /// At rest.
    case stationary
    /// On foot, at a walk.
    case walking
    /// On foot, at a run.
    case running
    /// On a bicycle.
    case cycling
    /// In a vehicle.
    case driving

    /// The name of this activity in the Overland format.
    public var name: String {
        switch self {
        case .unknown: "unknown"
        case .stationary: "stationary"
        case .walking: "walking"
        case .running: "running"
        case .cycling: "cycling"
        case .driving: "driving"
        }
    }
}

/// An activity with a confidence.
public struct ActivityEstimate: Sendable, Hashable, BitwiseCopyable {
    /// The activity.
    public let activity: Activity
    /// 0 to 100 per cent, as CalmGeo reports it: 33 low, 67 medium, 100 high.
    public let confidence: UInt8

    /// Creates an estimate; a confidence over 100 counts as 100.
    public init(_ activity: Activity, confidence: UInt8) {
        self.activity = activity
        self.confidence = min(confidence, 100)
    }
}
