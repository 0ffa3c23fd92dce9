extension OverlandSink.Configuration {
    /// The shape of a body.
    public enum Profile: String, Sendable, Hashable, CaseIterable {
        /// An object with `locations`, every property of the Overland app's features and a few more.
        case overland
        /// The format that the Trace app sends to incognita's `/dump`: fewer properties, no battery, no device.
        case trace
        /// A top-level array of CalmGeo's records.
        case calmgeo

        /// The rule for replies if the configuration has none. CalmGeo's receivers need not send a body; all others
        /// reply "ok".
        public var success: SuccessRule {
            switch self {
            case .overland, .trace: .resultOK
            case .calmgeo: .any2xx
            }
        }
    }

    /// The replies that acknowledge a batch.
    public enum SuccessRule: Sendable, Hashable {
        /// A status from 200 to 299 and a JSON object with the string `ok` as `result`, under any content type.
        case resultOK
        /// A status from 200 to 299, unless the body begins like a web page: the login page of a hotel's network is
        /// not a reply of the receiver.
        case any2xx
        /// A status from 200 to 299 and a body that contains this text.
        case bodyContains(String)
    }

    /// The form of an unknown battery.
    public enum UnknownBattery: String, Sendable, Hashable, CaseIterable {
        /// `"unknown"` and -1, as the Overland app writes it. Wayfinder drops such records.
        case unknown
        /// Both properties are left out.
        case omitted
        /// `"full"` and 1, for machines on mains power.
        case mains
    }
}
