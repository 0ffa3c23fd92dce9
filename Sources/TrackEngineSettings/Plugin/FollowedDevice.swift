public import TrackEngine

/// Another device that shares its position with this agent, as permitted by its owner.
///
/// A plugin that requests or receives such positions passes them to ``FollowReporter/report(_:)``. They go to histories
/// and pages and never into the agent's own track. There is no guarantee of completeness: a missed position is not
/// requested again.
public struct FollowedDevice: Sendable, Hashable {
    /// The name that people see and under which histories keep the track.
    public var device: DeviceID
    /// The group of the device; `nil` for none.
    public var group: String?
    /// The plugin that reports it.
    public var source: SourceID
    /// The last position; `nil` if there is no data, the data has expired, or the request is not permitted.
    public var fix: Fix?
    /// The reason why the last request failed, so that the current position is not known; `nil` after a response.
    public var failure: String?
    /// The battery of the device, if it is reported.
    public var host: HostStatus?
    /// The named place that it is at; `nil` if it is at none.
    public var place: String?

    /// A device without data.
    public init(_ device: DeviceID, group: String? = nil, source: SourceID) {
        self.device = device
        self.group = group
        self.source = source
    }
}
