extension OverlandSink.Configuration {
    /// The shape of a body.
    public enum Profile: String, Sendable, Hashable, CaseIterable {
        /// An object with `locations`, every property of the Overland app's features and a few more.
        case overland
        /// What the Trace app sends to incognita's `/dump`: fewer properties, no battery, no device.
        case trace
        /// A top-level array of CalmGeo's records.
        case calmgeo

        /// The rule for a reply where the configuration names none. CalmGeo's receivers owe no body, all others say "ok".
        public var success: SuccessRule {
            switch self {
            case .overland, .trace: .resultOK
            case .calmgeo: .any2xx
            }
        }
    }

    /// Which replies acknowledge a batch.
    public enum SuccessRule: Sendable, Hashable {
        /// A status from 200 to 299 and a JSON object whose `result` is the string `ok`, under any content type.
        case resultOK
        /// A status from 200 to 299, unless the body begins like a web page: a hotel's login page is no receiver.
        case any2xx
        /// A status from 200 to 299 and this text somewhere in the body.
        case bodyContains(String)
    }

    /// What stands for an unknown battery.
    public enum UnknownBattery: String, Sendable, Hashable, CaseIterable {
        /// `"unknown"` and -1, as the Overland app writes it. Wayfinder drops such records.
        case unknown
        /// Both properties are left out.
        case omitted
        /// `"full"` and 1, for machines on mains power.
        case mains
    }
}
