import TrackEngine
import TrackEngineSettings

/// The reason why a server cannot be set up or changed, in words for people.
public struct ServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The expected value or condition.
    public let description: String

    /// The key of the configuration, its value, and the expected value.
    let key: String?
    let value: String?
    let expectation: String?

    /// An error from its words.
    package init(_ description: String) {
        self.description = description
        (key, value, expectation) = (nil, nil, nil)
    }

    /// An invalid value of the configuration.
    init(_ key: String, _ value: String, _ expectation: String) {
        description = "\(key) = \(value): expected \(expectation)"
        (self.key, self.value, self.expectation) = (key, value, expectation)
    }

    /// A file of the server's that cannot be used.
    init(_ error: PrivateFileError) { self.init(error.description) }
}
