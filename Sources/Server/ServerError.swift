package import TrackEngine

/// Why a server cannot be set up or changed, in words for people.
public struct ServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was expected.
    public let description: String

    /// An error from its words.
    package init(_ description: String) { self.description = description }

    /// A call to the system that failed.
    package init(_ error: SystemError) { description = error.description }
}
