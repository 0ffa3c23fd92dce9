public import TrackEngine

/// Another device, whose place its owner lets this agent know.
///
/// A plugin that asks for such places, or is told them, hands them to ``AgentServices/report(_:)``. They go to histories and
/// pages and never into the agent's own track. Nothing is promised of them: one that is missed is not asked for again.
public struct FollowedDevice: Sendable, Hashable {
    /// The name under which people see it and histories keep its track.
    public var device: DeviceID
    /// The group that it was put in; `nil` for none.
    public var group: String?
    /// The plugin that tells it.
    public var source: SourceID
    /// Where it was last; `nil` where there is no data, the data has expired, or asking is not permitted.
    public var fix: Fix?
    /// Why the last question was not answered, so that where it is now is not known; `nil` after an answer.
    public var failure: String?
    /// Its battery, where it is told.
    public var host: HostStatus?
    /// The named place that it is at; `nil` if it is at none.
    public var place: String?

    /// A device of which nothing is known yet.
    public init(_ device: DeviceID, group: String? = nil, source: SourceID) {
        self.device = device
        self.group = group
        self.source = source
    }
}
