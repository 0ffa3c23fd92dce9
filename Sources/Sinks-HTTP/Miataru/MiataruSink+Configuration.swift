package import TrackEngine
public import TrackEngineSettings

extension MiataruSink {
    /// The server of a ``MiataruSink``, the device's identity there, and the retention.
    public struct Configuration: Sendable, Hashable {
        /// The server's address without `/v1`, such as `https://service.miataru.com`. It may have a path, but no
        /// query.
        public var url: String
        /// The identity of the device.
        public var identity: MiataruIdentity
        /// Whether the server keeps a history. Default off: it keeps only the newest position, for ``retention``.
        public var history = false
        /// The time for which the server keeps positions, in minutes, 5 to 525 600. Default 1440, a day.
        public var retention = 1440
        /// The time limit of a whole exchange, 0.1 to 600 s. Default 10 s.
        public var httpTimeout = Duration.seconds(10)
        /// The trusted authorities and the client's certificate.
        public var tls = TLSFiles()
        /// Allows `http` to other machines: positions, id and key are sent unencrypted. Default off.
        public var allowInsecure = false

        /// A configuration with the defaults.
        public init(url: String, identity: MiataruIdentity) {
            self.url = url
            self.identity = identity
        }
    }
}

extension MiataruSink.Configuration {
    /// The range of `retention`, in minutes. The minimum leaves time for a renewal.
    static let retentions = 5...525_600

    /// All problems that can be found without reading a file.
    package var problems: [ConfigurationProblem] { ConfigurationCheck.problems { _ = $0.endpoint(of: self) } }

    /// The server's address.
    var address: ServerAddress {
        var address = ServerAddress(url: url)
        address.httpTimeout = httpTimeout
        address.tls = tls
        address.allowInsecure = allowInsecure
        return address
    }
}

extension ConfigurationCheck {
    /// Checks all settings except the files; returns the address for positions, `nil` if the address is invalid.
    mutating func endpoint(of configuration: MiataruSink.Configuration) -> Endpoint? {
        rules(of: configuration.identity)
        range("retention", configuration.retention, MiataruSink.Configuration.retentions, "minutes")
        return endpoint(of: configuration.address, call: "UpdateLocation")
    }

    /// Checks the rules of servers and apps for an identity.
    mutating func rules(of identity: MiataruIdentity) {
        if !identity.hasValidID { problem("deviceID", "***", MiataruIdentity.idExpectation) }
        if !identity.hasValidKey { problem("deviceKey", "***", MiataruIdentity.keyExpectation) }
    }
}
