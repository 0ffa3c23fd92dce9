public import TrackEngine
import TrackEngineSettings

extension OverlandSink {
    /// The configuration of an ``OverlandSink``. The defaults suit every known receiver of the Overland format.
    public struct Configuration: Sendable, Hashable {
        /// The receiver's address, used as it is, with its query (`?token=…`, `?api_key=…`).
        public var url: String
        /// The name under which the receiver stores the records: 1 to 256 bytes without control characters.
        public var deviceID: DeviceID
        /// The shape of a body. Default ``Profile/overland``.
        public var profile = Profile.overland
        /// `POST` (the default) or `PUT`.
        public var method = HTTPMethod.post
        /// The bearer token, sent as `Authorization: Bearer …`; without a token that field is not sent. Default
        /// none.
        public var token: Secret?
        /// User and password, sent as `Authorization: Basic …`; not together with ``token``. Default none.
        public var basicAuthentication: BasicAuthentication?
        /// Additional header fields of every request, at most 32. `User-Agent`, `Accept` and, without ``token`` and
        /// ``basicAuthentication``, `Authorization` may be set here. Default none.
        public var headers: [HeaderField] = []
        /// The longest duration of a whole exchange, from connecting to the last byte of the reply: 0.1 to 600 s,
        /// default 10 s. A value that is too small cuts off slow links; one that is too large keeps a dead link.
        public var httpTimeout = Duration.milliseconds(10_000)
        /// The replies that acknowledge a batch. Default `nil`: the profile's own rule, ``Profile/success``.
        public var success: SuccessRule?
        /// The precision of times. Default whole seconds, which every receiver accepts; incognita's range queries
        /// miss fractions. CalmGeo's records always have milliseconds.
        public var timestampPrecision = Timestamp.Precision.seconds
        /// Writes speed in whole metres per second, for Wayfinder, which silently drops fractions. Default off.
        public var integerSpeed = false
        /// The form of an unknown battery. Default ``UnknownBattery/unknown``.
        public var unknownBattery = UnknownBattery.unknown
        /// The accuracy in metres for a fix of unknown accuracy, 1 to 100 000. Default `nil`: -1, which is
        /// Overland's "unknown" and which GeoPulse drops.
        public var assumedAccuracy: Int?
        /// The kinds of events that are sent in addition to positions. ``/TrackEngine/RecordKinds/visit``, `trip`,
        /// `action` and `heartbeat` have a form in the format; others are ignored, as are all events in other
        /// profiles. Default none, because receivers that do not know events store them as positions or reject the
        /// batch.
        public var events: RecordKinds = []
        /// Sends only the newest of the queued positions, Overland's logging mode "latest"; the others are settled
        /// without a request. Default off.
        public var latestOnly = false
        /// Adds Overland's tracking stats to each location: `pauses` (false), `activity` ("other"),
        /// `desired_accuracy`, `tracking_mode` (1, standard) and `locations_in_payload` (1, the number of fixes that
        /// arrived at once). Default off.
        public var trackingStatistics = false
        /// The value of `desired_accuracy`. Default ``/TrackEngine/DesiredAccuracy/best``.
        public var desiredAccuracy = DesiredAccuracy.best
        /// Adds `unique_id`, a UUID that is derived from the device's name and does not change. Default off.
        public var uniqueID = false
        /// Passes settings in replies (`set`) to the agent, which applies those that it allows. Default off.
        public var takesSettings = false
        /// The longest body that is sent, in bytes, 10 000 to 100 000 000: a longer batch is halved before it is
        /// sent. Default `nil`: the receiver rejects bodies that are too large.
        public var maximumBodyLength: Int?
        /// The parameter of the address that carries ``token`` instead of `Authorization`, for receivers that read
        /// the token only from the address. Default none.
        public var tokenParameter: String?
        /// The trusted authorities and the client's own certificate.
        public var tls = TLSOptions()
        /// Allows `http` to other machines, which sends positions and credentials unencrypted. Default off; `http`
        /// to this machine is always allowed.
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

    /// The range of `assumedAccuracy`, in metres.
    package static let accuracies = 1...100_000

    /// The range of `maximumBodyLength`, in bytes. Some records fit even the shortest body.
    static let bodyLengths = 10_000...100_000_000

    /// The secrets of the requests.
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

    /// A mirror that shows only the description.
    public var customMirror: Mirror { Mirror(self, children: ["summary": description]) }
}

extension OverlandSink.Configuration {
    /// The sink that CalmGeo's keys describe: its `url`, `token`, `method` and `httpTimeout`, and its format, a
    /// top-level array of records.
    ///
    /// The schedule is not part of it: bind the sink with ``/TrackEngine/CalmGeoConfiguration/sync``.
    ///
    /// - Returns: `nil` if there is no `url`; CalmGeo then sends no records.
    public init?(calmGeo configuration: CalmGeoConfiguration, deviceID: DeviceID) {
        guard let url = configuration.url else { return nil }
        self.init(url: url, deviceID: deviceID)
        profile = .calmgeo
        method = configuration.method
        token = configuration.token
        httpTimeout = .milliseconds(configuration.httpTimeout)
    }
}
