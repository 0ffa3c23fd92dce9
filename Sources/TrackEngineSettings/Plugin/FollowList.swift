public import TrackEngine

/// The settings of a source that reports other devices, and not the tracked object.
public protocol FollowSettings: SourceSettings {
    /// The devices that the source follows.
    func followList(named name: SourceID, _ context: PluginContext) -> any FollowList
}

/// The devices that a source follows. `trackd follow` changes the list, also while the agent runs.
public protocol FollowList: Sendable {
    /// All devices, those of the configuration first.
    ///
    /// - Throws: an error if the list cannot be read.
    func entries() throws(FollowListError) -> [FollowEntry]
    /// Follows another device from now on.
    ///
    /// - Parameters:
    ///   - link: the link or the id of the device, such as `miataru://ID`.
    ///   - name: the local name; `nil` for the beginning of the id.
    ///   - group: the group of the device; `nil` for none.
    /// - Throws: the expectation, for a link that cannot be read or a name or id that is already followed.
    func add(_ link: Secret, name: String?, group: String?) throws(FollowListError) -> FollowEntry
    /// Stops following a device; returns whether it was followed.
    ///
    /// - Throws: an error if the device is in the configuration, or if the list cannot be written.
    func remove(_ name: String) throws(FollowListError) -> Bool
}

/// A device that is followed.
public struct FollowEntry: Sendable, Hashable {
    /// The id with which its position is requested; treat it like a password.
    public var id: Secret
    /// The local name.
    public var name: String
    /// The group of the device; `nil` for none.
    public var group: String?

    /// An entry from its parts.
    public init(id: Secret, name: String, group: String? = nil) {
        self.id = id
        self.name = name
        self.group = group
    }
}

/// The reason why a list of followed devices cannot be read or changed, in words for people.
public struct FollowListError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The expectation or the failure.
    public let description: String

    /// Creates an error from its description.
    public init(_ description: String) { self.description = description }
}
