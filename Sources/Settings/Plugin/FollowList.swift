public import TrackEngine

/// The devices that a source follows: what `trackd follow` changes, also while the agent runs.
public protocol FollowList: Sendable {
    /// All of them, those of the configuration first.
    ///
    /// - Throws: that the list cannot be read.
    func entries() throws(FollowListError) -> [FollowEntry]
    /// Follows another device from now on.
    ///
    /// - Parameters:
    ///   - link: its link or its id, such as `miataru://ID`.
    ///   - name: what it is called here; `nil` for the beginning of its id.
    ///   - group: the group that it belongs to; `nil` for none.
    /// - Throws: what was expected, for a link that cannot be read or a name or id that is followed already.
    func add(_ link: Secret, name: String?, group: String?) throws(FollowListError) -> FollowEntry
    /// Follows a device no more; returns whether it did.
    ///
    /// - Throws: that the device stands in the configuration, or that the list cannot be written.
    func remove(_ name: String) throws(FollowListError) -> Bool
}

/// A device that is followed.
public struct FollowEntry: Sendable, Hashable {
    /// The id by which its place is asked for; it is as good as a password.
    public var id: Secret
    /// What it is called here.
    public var name: String
    /// The group that it belongs to; `nil` for none.
    public var group: String?

    /// An entry from its parts.
    public init(id: Secret, name: String, group: String? = nil) {
        self.id = id
        self.name = name
        self.group = group
    }
}

/// Why a list of followed devices cannot be read or changed, in words for people.
public struct FollowListError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was expected, or what failed.
    public let description: String

    /// An error from its words.
    public init(_ description: String) { self.description = description }
}
