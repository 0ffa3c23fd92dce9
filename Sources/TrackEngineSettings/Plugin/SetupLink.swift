public import TrackEngine

/// The settings in a server's setup link for a sink that sends to that server. Settings that it omits do not change.
///
/// `setup` writes the parts under the keys `url`, `token`, `deviceID` and `headers` of a sink of the plugin's type.
public struct SetupLink: Sendable, Hashable {
    /// The receiver's address, which may hold a token itself.
    public var url: Secret?
    /// The token; an empty one removes that of the sink.
    public var token: Secret?
    /// The device's name.
    public var deviceID: String?
    /// Header fields for each request, in the link's order.
    public var headers: [Header] = []
    /// The names of parameters that the agent ignores.
    public var ignored: [String] = []

    /// A link without settings.
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

    /// The reason why a text is not a setup link; it never contains a value.
    public struct Malformed: Error, Sendable, Hashable, CustomStringConvertible {
        /// The expectation that was not met.
        public let description: String

        /// A problem with a text.
        public init(_ description: String) {
            self.description = description
        }
    }

    /// A kind of links.
    public struct Format: Sendable {
        /// The beginning of its links, `overland://setup`.
        public var prefix: String
        /// Parses a link whose length has not been checked.
        public var read: @Sendable (String) throws(Malformed) -> SetupLink

        /// Links that begin with `prefix`.
        public init(prefix: String, read: @escaping @Sendable (String) throws(Malformed) -> SetupLink) {
            self.prefix = prefix
            self.read = read
        }
    }
}
