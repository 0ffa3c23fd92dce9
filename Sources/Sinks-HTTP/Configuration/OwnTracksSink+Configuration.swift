import HTTPDelivery
import OwnTracksFormat
public import TrackEngine
public import TrackEngineSettings

extension OwnTracksSink {
    /// Where, as whom and how an ``OwnTracksSink`` delivers.
    public struct Configuration: Sendable, Hashable {
        /// The receiver's address, used as it is: `https://recorder.example.org/pub`.
        public var url: String
        /// Whose the device is, the header field `X-Limit-U`: a name as a topic's level.
        public var user: String
        /// The device's name, the header field `X-Limit-D`: a name as a topic's level.
        public var deviceID: DeviceID
        /// The two characters on the map. Default `nil`: the last two letters and digits of the device's name.
        public var trackerID: String?
        /// Who sends: user and password, or a token, and header fields beside ours. Default nothing.
        public var credentials = RequestCredentials()
        /// What messages are encrypted with, its first 32 bytes. With one, only encrypted commands are carried out. Default none.
        public var secret: Secret?
        /// What is said of a position whose accuracy is unknown, in metres, 1 to 10 000. Default 100: receivers drop a position
        /// that says nothing or 0.
        public var assumedAccuracy = 100
        /// Which commands in replies are carried out. Default none.
        public var commands: Set<RemoteCommand> = []
        /// How long the exchange of one record may take, from connecting to the last byte of the reply: 0.1 to 600 s, default
        /// 10 s. Too little cuts off slow links, too much keeps a dead one.
        public var httpTimeout = Duration.milliseconds(10_000)
        /// Whom to trust, and who we are.
        public var tls = TLSOptions()
        /// Allows `http` to other machines: positions travel in the clear, unless there is a ``secret``. Default off; `http` to
        /// this machine is always allowed.
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

    /// Nothing to look into beyond the description.
    public var customMirror: Mirror { Mirror(self, children: ["summary": description]) }
}

extension OwnTracksSink.Configuration {
    /// What may be assumed of an unknown accuracy, in metres.
    package static let accuracies = 1...10_000

    /// Everything that is wrong with it, as far as it can be told without reading a file.
    var problems: [ConfigurationProblem] {
        var check = ConfigurationCheck()
        _ = check.rules(of: self)
        return check.problems
    }
}

extension ConfigurationCheck {
    /// What holds whatever the files say; `nil` for an address that is none.
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
