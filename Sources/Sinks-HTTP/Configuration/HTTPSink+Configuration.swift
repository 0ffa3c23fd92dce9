public import TrackEngine
import TrackEngineSettings

extension HTTPSink {
    /// The configuration of an ``HTTPSink``: a template of its requests, or a preset and perhaps some of its parts.
    public struct Configuration: Sendable, Hashable {
        /// The receiver's address with fields in path and query. A preset adds its path and parameters.
        public var url: String
        /// The value of the field `device`: 1 to 256 bytes without control characters.
        public var deviceID: DeviceID
        /// A preset for a known receiver; it supplies every part that is not set here. Default none.
        public var preset: HTTPPreset?
        /// The request's method. Default that of the preset, else `POST`.
        public var method: Method?
        /// The format of the body. Default that of the preset, else ``Format/json``.
        public var format: Format?
        /// The template of the body, at most 16 384 bytes. Default that of the preset, else none.
        public var body: String?
        /// The template of one record of a batch, at most 16 384 bytes. With it, one request carries a whole batch,
        /// and `%{records}` in ``body`` is replaced by the records. Default that of the preset, else none: one
        /// request per record.
        public var record: String?
        /// The kinds of records that are sent; without positions this is a webhook for events. A preset supports
        /// positions only. Default ``/TrackEngine/RecordKinds/location``.
        public var kinds = RecordKinds.location
        /// The ids of places; at most 1000. Only transitions and visits at these places are sent, and trips that end
        /// there. Default none: all transitions, visits and trips, with or without a place.
        public var places: Set<String> = []
        /// The replies that acknowledge a request. Default those of the preset, else any status from 200 to 299
        /// without a web page.
        public var success: SuccessRule?
        /// The secrets of the requests. Default none.
        public var credentials = RequestCredentials()
        /// The longest duration of a whole exchange, from connecting to the last byte of the reply: 0.1 to 600 s,
        /// default 10 s.
        public var httpTimeout = Duration.milliseconds(10_000)
        /// The trusted authorities and the client's own certificate.
        public var tls = TLSOptions()
        /// Allows `http` to other machines, which sends positions and credentials unencrypted. Default off.
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
        /// With a body that replaces the resource.
        case put = "PUT"
        /// With a body that changes the resource.
        case patch = "PATCH"
    }

    /// The format of a body, which also decides how values in it are escaped.
    public enum Format: String, Sendable, Hashable, CaseIterable {
        /// JSON (RFC 8259).
        case json
        /// Parameters as in an HTML form.
        case form
        /// Comma-separated values, a row for each record.
        case csv
        /// InfluxDB's line protocol, a line for each record.
        case influx
        /// Plain text, a row for each record.
        case text
    }

    /// The replies that acknowledge a request; a status from 200 to 299 is part of every rule.
    public struct SuccessRule: Sendable, Hashable {
        /// The only accepted status. Default any from 200 to 299.
        public var status: Int?
        /// A path of names and indexes in the JSON of the reply, such as `result` or `items.0.state`, that must
        /// exist.
        public var path: String?
        /// The required value of the string, number or Boolean at ``path``, written as in JSON but without quotes.
        /// Default any value.
        public var value: String?
        /// A text that the body must contain.
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

    /// A mirror that shows only the description.
    public var customMirror: Mirror { Mirror(self, children: ["summary": description]) }
}
