/// The settings of a sink that may need a resource for itself, other than a directory.
public protocol ConflictSettings: SinkSettings {
    /// The resource that two sinks should not share; `nil` if there is none.
    var conflict: ConflictKey? { get }
}

/// The settings of a sink with a directory of its own, under the key `directory`.
///
/// An agent rejects a path that cannot be a directory, one that belongs to its store, and a second path to the same
/// directory.
public protocol DirectorySettings: SinkSettings {
    /// The absolute path of the directory.
    var directory: String { get }
    /// The expectation that the directory, or a file in it, fails to meet, so that the sink cannot use it; `nil` if it
    /// is usable. The check neither opens nor creates files.
    var expectationOfFiles: String? { get }
}

/// A resource that one sink needs for itself, such as an MQTT client identifier.
public struct ConflictKey: Sendable {
    /// The resource; equal for sinks that would interfere with each other.
    public let place: String
    /// The key to change.
    public let key: String
    /// The expectation for the value of that key.
    public let expectation: String
    /// Whether a second sink with the resource is refused; otherwise it gets a warning.
    public let isRefused: Bool

    /// A resource of one sink.
    public init(place: String, key: String, expectation: String, isRefused: Bool) {
        self.place = place
        self.key = key
        self.expectation = expectation
        self.isRefused = isRefused
    }
}
