public import TrackEngine
import TrackEngineSettings

extension HTTPSink {
    /// Where and how an ``HTTPSink`` delivers: a template of its requests, or a preset and perhaps some of its parts.
    public struct Configuration: Sendable, Hashable {
        /// The receiver's address with fields in path and query; that of a preset is completed by it.
        public var url: String
        /// What the field `device` stands for: 1 to 256 bytes without control characters.
        public var deviceID: DeviceID
        /// What is not said here is taken from it. Default none.
        public var preset: HTTPPreset?
        /// The request's method. Default that of the preset, else `POST`.
        public var method: Method?
        /// What the body is. Default that of the preset, else ``Format/json``.
        public var format: Format?
        /// The template of the body, at most 16 384 bytes. Default that of the preset, else none.
        public var body: String?
        /// The template of one record of a batch, at most 16 384 bytes; with it a request has a whole batch, and `%{records}` in
        /// ``body`` stands for the records. Default that of the preset, else none: one request a record.
        public var record: String?
        /// Which records are sent; without positions this is a webhook for events. A preset is for positions alone. Default
        /// ``/TrackEngine/RecordKinds/location``.
        public var kinds = RecordKinds.location
        /// The ids of the places whose transitions and visits are sent, and of the trips that end there; at most 1000. Default none: those of
        /// all places, and of none.
        public var places: Set<String> = []
        /// Which replies acknowledge a request. Default that of the preset, else any status from 200 to 299 without a web page.
        public var success: SuccessRule?
        /// The secrets of the requests. Default none.
        public var credentials = RequestCredentials()
        /// How long a whole exchange may take, from connecting to the last byte of the reply: 0.1 to 600 s, default 10 s.
        public var httpTimeout = Duration.milliseconds(10_000)
        /// Whom to trust, and who we are.
        public var tls = TLSOptions()
        /// Allows `http` to other machines: positions and credentials travel in the clear. Default off.
        public var allowInsecure = false

        /// A configuration with the defaults.
        public init(url: String, deviceID: DeviceID) {
            self.url = url
            self.deviceID = deviceID
        }
    }
}

extension HTTPSink.Configuration {
    /// The methods of requests.
    public enum Method: String, Sendable, Hashable, CaseIterable {
        /// Without a body.
        case get = "GET"
        /// With a body.
        case post = "POST"
        /// With a body, to replace what is there.
        case put = "PUT"
        /// With a body, to change what is there.
        case patch = "PATCH"
    }

    /// What a body is, and with it how values in it are escaped.
    public enum Format: String, Sendable, Hashable, CaseIterable {
        /// JSON (RFC 8259).
        case json
        /// Parameters as of an HTML form.
        case form
        /// Comma-separated values, a row for each record.
        case csv
        /// InfluxDB's line protocol, a line for each record.
        case influx
        /// Plain text, a row for each record.
        case text
    }

    /// Which replies acknowledge a request; a status from 200 to 299 is part of every rule.
    public struct SuccessRule: Sendable, Hashable {
        /// The one status that is taken. Default any from 200 to 299.
        public var status: Int?
        /// A path of names and places in the JSON of the reply, such as `result` or `items.0.state`, that must be there.
        public var path: String?
        /// What a text, number or truth at ``path`` must be, written as in JSON but without quotes. Default anything.
        public var value: String?
        /// A text that must stand somewhere in the body.
        public var contains: String?

        /// Any status from 200 to 299 without a web page.
        public init() {}
    }
}

extension HTTPSink.Configuration: CustomStringConvertible, CustomReflectable {
    /// Preset and origin; the URL's path and query may be secret.
    public var description: String {
        let origin = AddressTemplate(ifReadable: url).map { "\($0.endpoint)" } ?? "(invalid URL)"
        return "\(preset.map { $0.rawValue } ?? "requests") to \(origin)"
    }

    /// Nothing to look into beyond the description.
    public var customMirror: Mirror { Mirror(self, children: ["summary": description]) }
}
