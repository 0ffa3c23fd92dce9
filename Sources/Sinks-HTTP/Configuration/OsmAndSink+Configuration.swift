public import TrackEngine
import TrackEngineSettings

extension OsmAndSink {
    /// The configuration of an ``OsmAndSink``.
    public struct Configuration: Sendable, Hashable {
        /// The server's address; Traccar's default port is 5055. Its own parameters precede those of the sink.
        public var url: String
        /// The identifier that the device has in Traccar: 1 to 256 bytes without control characters.
        public var deviceID: DeviceID
        /// The format of a position. Default ``Format/query``.
        public var format = Format.query
        /// Whether transitions at places are sent, each as a position with the attribute `event` (`geofenceEnter`,
        /// `geofenceExit`, `geofenceDwell`) and, as parameters, `place`. They are not alarms. Default off.
        public var tellsTransitions = false
        /// The credentials of the requests, for a proxy in front of the server that authenticates clients. Default
        /// none.
        public var credentials = RequestCredentials()
        /// The longest duration of the exchange of one record, from connecting to the last byte of the reply: 0.1 to
        /// 600 s, default 10 s. A value that is too small cuts off slow links; one that is too large keeps a dead
        /// link.
        public var httpTimeout = Duration.milliseconds(10_000)
        /// The trusted authorities and the client's own certificate.
        public var tls = TLSOptions()
        /// Allows `http` to other machines, which sends positions unencrypted. Default off; `http` to this machine
        /// is always allowed.
        public var allowInsecure = false

        /// A configuration with the defaults.
        public init(url: String, deviceID: DeviceID) {
            self.url = url
            self.deviceID = deviceID
        }
    }
}

extension OsmAndSink.Configuration {
    /// The format of a position.
    public enum Format: String, Sendable, Hashable, CaseIterable {
        /// Parameters in the address, which every server of the protocol accepts. Times are whole seconds, speeds
        /// knots.
        case query
        /// The JSON of Traccar's newer client. Times have milliseconds, speeds are metres per second.
        case json
    }
}

extension OsmAndSink.Configuration: CustomStringConvertible, CustomReflectable {
    /// Format and origin; the URL's path and query may be secret.
    public var description: String {
        let origin = Endpoint(ifReadable: url).map { "\($0)" } ?? "(invalid URL)"
        return "\(format) to \(origin)"
    }

    /// A mirror that shows only the description.
    public var customMirror: Mirror { Mirror(self, children: ["summary": description]) }
}

extension OsmAndSink.Configuration {
    /// All problems that can be found without reading a file.
    var problems: [ConfigurationProblem] { ConfigurationCheck.problems { _ = $0.rules(of: self) } }
}

extension ConfigurationCheck {
    /// Checks all rules that do not depend on files. Returns `nil` for an invalid address.
    mutating func rules(of configuration: OsmAndSink.Configuration) -> Endpoint? {
        let endpoint = endpoint(configuration.url, allowInsecure: configuration.allowInsecure)
        text("deviceID", configuration.deviceID.rawValue, .receiverDevice)
        rules(of: configuration.credentials)
        httpTimeout(configuration.httpTimeout)
        rules(of: configuration.tls.files, for: endpoint)
        return endpoint
    }
}
