import OwnTracksFormat
public import TrackEngine
public import TrackEngineSettings

extension OwnTracksSink {
    /// The configuration of an ``OwnTracksSink``.
    public struct Configuration: Sendable, Hashable {
        /// The receiver's address, used as it is: `https://recorder.example.org/pub`.
        public var url: String
        /// The owner of the device, the header field `X-Limit-U`; a valid level of a topic.
        public var user: String
        /// The device's name, the header field `X-Limit-D`; a valid level of a topic.
        public var deviceID: DeviceID
        /// The two characters on the map. Default `nil`: the last two letters and digits of the device's name.
        public var trackerID: String?
        /// The credentials: user and password, or a token, and additional header fields. Default none.
        public var credentials = RequestCredentials()
        /// The key that encrypts messages; its first 32 bytes are used. With a key, only encrypted commands are
        /// executed. Default none.
        public var secret: Secret?
        /// The accuracy for a position of unknown accuracy, in metres, 1 to 10 000. Default 100: receivers drop a
        /// position without an accuracy or with 0.
        public var assumedAccuracy = 100
        /// The commands in replies that are executed. Default none.
        public var commands: Set<RemoteCommand> = []
        /// The longest duration of the exchange of one record, from connecting to the last byte of the reply: 0.1 to
        /// 600 s, default 10 s. A value that is too small cuts off slow links; one that is too large keeps a dead
        /// link.
        public var httpTimeout = Duration.milliseconds(10_000)
        /// The trusted authorities and the client's own certificate.
        public var tls = TLSOptions()
        /// Allows `http` to other machines, which sends positions unencrypted unless there is a ``secret``. Default
        /// off; `http` to this machine is always allowed.
        public var allowInsecure = false

        /// A configuration with the defaults.
        public init(url: String, user: String, deviceID: DeviceID) {
            self.url = url
            self.user = user
            self.deviceID = deviceID
        }
    }
}

extension OwnTracksSink.Configuration: CustomStringConvertible, CustomReflectable {
    /// The origin; the URL's path and query may be secret.
    public var description: String {
        let origin = Endpoint(ifReadable: url).map { "\($0)" } ?? "(invalid URL)"
        return "owntracks to \(origin)"
    }

    /// A mirror that shows only the description.
    public var customMirror: Mirror { Mirror(self, children: ["summary": description]) }
}

extension OwnTracksSink.Configuration {
    /// The range of `assumedAccuracy`, in metres.
    package static let accuracies = 1...10_000

    /// All problems that can be found without reading a file.
    var problems: [ConfigurationProblem] { ConfigurationCheck.problems { _ = $0.rules(of: self) } }
}

extension ConfigurationCheck {
    /// Checks all rules that do not depend on files. Returns `nil` for an invalid address.
    mutating func rules(of configuration: OwnTracksSink.Configuration) -> Endpoint? {
        let endpoint = endpoint(configuration.url, allowInsecure: configuration.allowInsecure)
        text("user", configuration.user, .device)
        text("deviceID", configuration.deviceID.rawValue, .device)
        if let trackerID = configuration.trackerID, let problem = TrackerID.problem(trackerID) {
            self.problem("trackerID", trackerID.quoted(atMost: 64), problem)
        }
        rules(of: configuration.credentials)
        for field in configuration.credentials.headers
        where ["x-limit-u", "x-limit-d"].contains(field.name.lowercased()) {
            problem("headers.\(field.name)", "\(field.value)", "user and deviceID, which set this field")
        }
        if configuration.secret?.revealed.isEmpty == true { problem("secret", "***", "a secret that is not empty") }
        range("assumedAccuracy", configuration.assumedAccuracy, OwnTracksSink.Configuration.accuracies, "metres")
        httpTimeout(configuration.httpTimeout)
        rules(of: configuration.tls.files, for: endpoint)
        return endpoint
    }
}
