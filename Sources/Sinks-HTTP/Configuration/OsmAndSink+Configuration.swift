import HTTPDelivery
public import TrackEngine
import TrackEngineSettings

extension OsmAndSink {
    /// Where and how an ``OsmAndSink`` delivers.
    public struct Configuration: Sendable, Hashable {
        /// The server's address, by default at Traccar's port 5055; parameters that it has stay in front of ours.
        public var url: String
        /// The identifier that the device has in Traccar: 1 to 256 bytes without control characters.
        public var deviceID: DeviceID
        /// How a position is written. Default ``Format/query``.
        public var format = Format.query
        /// Whether places entered and left are sent, each as a position with the attribute `event` (`geofenceEnter`, `geofenceExit`,
        /// `geofenceDwell`) and, as parameters, `place`. They are no alarms. Default off.
        public var tellsTransitions = false
        /// What requests carry, for a proxy before the server that wants to know who comes. Default none.
        public var credentials = RequestCredentials()
        /// How long the exchange of one record may take, from connecting to the last byte of the reply: 0.1 to 600 s, default
        /// 10 s. Too little cuts off slow links, too much keeps a dead one.
        public var httpTimeout = Duration.milliseconds(10_000)
        /// Whom to trust, and who we are.
        public var tls = TLSOptions()
        /// Allows `http` to other machines: positions travel in the clear. Default off; `http` to this machine is always
        /// allowed.
        public var allowInsecure = false

        /// A configuration with the defaults.
        public init(url: String, deviceID: DeviceID) {
            self.url = url
            self.deviceID = deviceID
        }
    }
}

extension OsmAndSink.Configuration {
    /// How a position is written.
    public enum Format: String, Sendable, Hashable, CaseIterable {
        /// Parameters in the address, as every server of the protocol takes them. Times are whole seconds, speeds knots.
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

    /// Nothing to look into beyond the description.
    public var customMirror: Mirror { Mirror(self, children: ["summary": description]) }
}

extension OsmAndSink.Configuration {
    /// Everything that is wrong with it, as far as it can be told without reading a file.
    var problems: [ConfigurationProblem] {
        var check = ConfigurationCheck()
        _ = check.rules(of: self)
        return check.problems
    }
}

extension ConfigurationCheck {
    /// What holds whatever the files say; `nil` for an address that is none.
    mutating func rules(of configuration: OsmAndSink.Configuration) -> Endpoint? {
        let endpoint = endpoint(configuration.url, allowInsecure: configuration.allowInsecure)
        text("deviceID", configuration.deviceID.rawValue, .receiverDevice)
        rules(of: configuration.credentials)
        httpTimeout(configuration.httpTimeout)
        rules(of: configuration.tls.files, for: endpoint)
        return endpoint
    }
}
