public import TrackEngine
import TrackEngineSettings

extension OverlandSink {
    /// Where and how an ``OverlandSink`` delivers. The defaults suit every receiver of the Overland format that we know.
    public struct Configuration: Sendable, Hashable {
        /// The receiver's address, used as it is, with its query (`?token=…`, `?api_key=…`).
        public var url: String
        /// The name under which the receiver files the records: 1 to 256 bytes without control characters.
        public var deviceID: DeviceID
        /// The shape of a body. Default ``Profile/overland``.
        public var profile = Profile.overland
        /// `POST` (the default) or `PUT`.
        public var method = HTTPMethod.post
        /// Sent as `Authorization: Bearer …`; without a token there is no such field. Default none.
        public var token: Secret?
        /// Sent as `Authorization: Basic …`; not together with ``token``. Default none.
        public var basicAuthentication: BasicAuthentication?
        /// Fields that every request carries beside ours, at most 32. `User-Agent`, `Accept` and, without ``token`` and
        /// ``basicAuthentication``, `Authorization` may be set here. Default none.
        public var headers: [HeaderField] = []
        /// How long a whole exchange may take, from connecting to the last byte of the reply: 0.1 to 600 s, default
        /// 10 s. Too little cuts off slow links, too much keeps a dead one.
        public var httpTimeout = Duration.milliseconds(10_000)
        /// Which replies acknowledge a batch. Default `nil`: the profile's own rule, ``Profile/success``.
        public var success: SuccessRule?
        /// How many digits of a second a time has. Default whole seconds, which every receiver takes; incognita's range
        /// queries miss fractions. CalmGeo's records have milliseconds whatever is set here.
        public var timestampPrecision = Timestamp.Precision.seconds
        /// Writes speed in whole metres per second, for Wayfinder, which drops fractions silently. Default off.
        public var integerSpeed = false
        /// What stands for an unknown battery. Default ``UnknownBattery/unknown``.
        public var unknownBattery = UnknownBattery.unknown
        /// Metres to claim for a fix whose accuracy is unknown, 1 to 100 000. Default `nil`: -1, Overland's "unknown",
        /// which claims nothing but which GeoPulse drops.
        public var assumedAccuracy: Int?
        /// Which events are sent beside positions: ``/TrackEngine/RecordKinds/visit``, `trip`, `action` and `heartbeat` have a form in
        /// the format; others are ignored, as all are in other profiles. Default none, because receivers that do not know them take
        /// them for positions or refuse the batch.
        public var events: RecordKinds = []
        /// Sends of the positions that wait only the newest, Overland's logging mode "latest"; the others are settled without a request.
        /// Default off.
        public var latestOnly = false
        /// Adds what Overland calls tracking stats to each location: `pauses` (false), `activity` ("other"), `desired_accuracy`,
        /// `tracking_mode` (1, standard) and `locations_in_payload` (1, the fixes that came at once). Default off.
        public var trackingStatistics = false
        /// What `desired_accuracy` tells. Default ``/TrackEngine/DesiredAccuracy/best``.
        public var desiredAccuracy = DesiredAccuracy.best
        /// Adds `unique_id`, a UUID that is made of the device's name and always the same. Default off.
        public var uniqueID = false
        /// Hands settings that replies want (`set`) to the agent, which takes those that it allows. Default off.
        public var takesSettings = false
        /// The longest body that is sent, in bytes, 10 000 to 100 000 000: a longer batch is halved before it is sent. Default
        /// `nil`: the receiver says itself what is too large for it.
        public var maximumBodyLength: Int?
        /// The parameter of the address in which ``token`` is sent, in place of `Authorization`, for receivers that look there
        /// alone. Default none.
        public var tokenParameter: String?
        /// Whom to trust, and who we are.
        public var tls = TLSOptions()
        /// Allows `http` to other machines: positions and credentials travel in the clear. Default off; `http` to this
        /// machine is always allowed.
        public var allowInsecure = false

        /// A configuration with the defaults.
        public init(url: String, deviceID: DeviceID) {
            self.url = url
            self.deviceID = deviceID
        }
    }
}

extension OverlandSink.Configuration {
    /// A user and a password (RFC 7617).
    public typealias BasicAuthentication = TrackEngineHTTP.BasicAuthentication

    /// What can be claimed for an unknown accuracy, in metres.
    package static let accuracies = 1...100_000

    /// How long the longest body may be, in bytes: some records fit even the shortest.
    package static let bodyLengths = 10_000...100_000_000

    /// Its secrets.
    var credentials: RequestCredentials {
        RequestCredentials(token: token, basicAuthentication: basicAuthentication, headers: headers)
    }
}

extension OverlandSink.Configuration: CustomStringConvertible, CustomReflectable {
    /// Profile and origin; the URL's path and query may be secret.
    public var description: String {
        let origin = Endpoint(ifReadable: url).map { "\($0)" } ?? "(invalid URL)"
        return "\(profile) to \(origin)"
    }

    /// Nothing to look into beyond the description.
    public var customMirror: Mirror { Mirror(self, children: ["summary": description]) }
}

extension OverlandSink.Configuration {
    /// The sink that CalmGeo's keys describe: its `url`, `token`, `method` and `httpTimeout`, and its format, a
    /// top-level array of records.
    ///
    /// When the records are sent is not part of it: bind the sink with ``/TrackEngine/CalmGeoConfiguration/sync``.
    ///
    /// - Returns: `nil` where there is no `url`, which to CalmGeo means that nothing is sent.
    public init?(calmGeo configuration: CalmGeoConfiguration, deviceID: DeviceID) {
        guard let url = configuration.url else { return nil }
        self.init(url: url, deviceID: deviceID)
        profile = .calmgeo
        method = configuration.method
        token = configuration.token
        httpTimeout = .milliseconds(configuration.httpTimeout)
    }
}
