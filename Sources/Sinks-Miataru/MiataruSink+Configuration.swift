import HTTPDelivery
package import TrackEngine
public import TrackEngineSettings

extension MiataruSink {
    /// Where a ``MiataruSink`` sends places, and what is kept of them there.
    public struct Configuration: Sendable, Hashable {
        /// The server's address without `/v1`, such as `https://service.miataru.com`. A path is kept, a query is not taken.
        public var url: String
        /// Whose places they are.
        public var identity: MiataruIdentity
        /// Whether the server keeps a history. Default off: it keeps the newest place alone, for ``retention``.
        public var history = false
        /// How long the server keeps what it has, in minutes, 5 to 525 600. Default 1440, a day.
        public var retention = 1440
        /// How long a whole exchange may take, 0.1 to 600 s. Default 10 s.
        public var httpTimeout = Duration.seconds(10)
        /// Whom to trust, and who we are.
        public var tls = TLSFiles()
        /// Allows `http` to other machines: places, id and key travel in the clear. Default off.
        public var allowInsecure = false

        /// A configuration with the defaults.
        public init(url: String, identity: MiataruIdentity) {
            self.url = url
            self.identity = identity
        }
    }
}

extension MiataruSink.Configuration {
    /// For how many minutes a server may keep what it has. The least leaves time for a renewal.
    package static let retentions = 5...525_600

    /// Everything that is wrong with it, as far as it can be told without reading a file.
    package var problems: [ConfigurationProblem] {
        var check = ConfigurationCheck()
        _ = check.endpoint(of: self)
        return check.problems
    }
}

extension ConfigurationCheck {
    /// Looks at everything but the files; returns where locations are sent, `nil` for an address that is none.
    mutating func endpoint(of configuration: MiataruSink.Configuration) -> Endpoint? {
        rules(of: configuration.identity)
        range("retention", configuration.retention, MiataruSink.Configuration.retentions, "minutes")
        return endpoint(of: configuration.address, call: "UpdateLocation")
    }
}

extension MiataruSink.Configuration {
    /// Where the server is.
    var address: ServerAddress {
        var address = ServerAddress(url: url)
        address.httpTimeout = httpTimeout
        address.tls = tls
        address.allowInsecure = allowInsecure
        return address
    }
}

extension ConfigurationCheck {
    /// What servers and apps want of an identity.
    mutating func rules(of identity: MiataruIdentity) {
        if !identity.hasValidID { problem("deviceID", "***", MiataruIdentity.idExpectation) }
        if !identity.hasValidKey { problem("deviceKey", "***", MiataruIdentity.keyExpectation) }
    }
}
