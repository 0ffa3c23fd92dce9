public import TrackEngine

/// What a receiver's link says about a sink that shall send to it. What it does not mention stays as it is.
///
/// `setup` writes the parts under the keys `url`, `token`, `deviceID` and `headers` of a sink of the plugin's type.
public struct SetupLink: Sendable, Hashable {
    /// The receiver's address, which may hold a token itself.
    public var url: Secret?
    /// The token.
    public var token: Secret?
    /// The device's name.
    public var deviceID: String?
    /// Header fields for each request, in the link's order.
    public var headers: [Header] = []
    /// Names of parameters that mean nothing to the agent.
    public var ignored: [String] = []

    /// A link that mentions nothing.
    public init() {}

    /// A header field for each request.
    public struct Header: Sendable, Hashable {
        /// The field's name.
        public var name: String
        /// Its value.
        public var value: Secret

        /// A field.
        public init(name: String, value: Secret) {
            self.name = name
            self.value = value
        }
    }

    /// Why a text is no setup link; it never repeats a value.
    public struct Malformed: Error, Sendable, Hashable, CustomStringConvertible {
        /// What was expected.
        public let description: String

        /// A problem with a text.
        public init(_ description: String) {
            self.description = description
        }
    }

    /// A kind of links.
    public struct Format: Sendable {
        /// What its links begin with, `overland://setup`.
        public var prefix: String
        /// Takes a link apart, whose length has not been checked.
        public var read: @Sendable (String) throws(Malformed) -> SetupLink

        /// Links that begin with `prefix`.
        public init(prefix: String, read: @escaping @Sendable (String) throws(Malformed) -> SetupLink) {
            self.prefix = prefix
            self.read = read
        }
    }
}
