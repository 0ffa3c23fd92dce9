public import TrackEngine

/// The members of `trackengine.record/1`, in addition to those of the fix.
private enum RecordKey: String, CodingKey {
    case id, sequence, source, isMoving, cause, event, odometer, activity, battery, wifi
}

extension RecordDraft: Codable {
    /// Reads a draft; unknown members are ignored.
    ///
    /// - Throws: `DecodingError` without `id`, `source`, `isMoving`, `cause` or the fix's `time`, or if a value has
    ///   the wrong type.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: RecordKey.self)
        self.init(
            id: try members.decode(RecordID.self, forKey: .id), fix: try Fix(from: decoder),
            isMoving: try members.decode(Bool.self, forKey: .isMoving),
            event: try members.decodeIfPresent(RecordEvent.self, forKey: .event),
            cause: try members.decode(RecordCause.self, forKey: .cause),
            activity: try members.decodeIfPresent(ActivityEstimate.self, forKey: .activity),
            source: try members.decode(SourceID.self, forKey: .source),
            host: try HostStatus.decodeIfPresent(members),
            odometer: try members.decodeIfPresent(Double.self, forKey: .odometer),
            content: try RecordContent(from: decoder), context: try RecordContext.decodeIfPresent(from: decoder))
    }

    /// Writes the members of the fix and those of the draft into one object.
    public func encode(to encoder: any Encoder) throws {
        try fix.encode(to: encoder)
        var members = encoder.container(keyedBy: RecordKey.self)
        try members.encode(id, forKey: .id)
        try members.encode(source, forKey: .source)
        try members.encode(isMoving, forKey: .isMoving)
        try members.encode(cause, forKey: .cause)
        try members.encodeIfPresent(event, forKey: .event)
        try members.encodeIfPresent(odometer, forKey: .odometer)
        try members.encodeIfPresent(activity, forKey: .activity)
        if let host, host.tellsOfBattery { try members.encode(host, forKey: .battery) }
        try members.encodeIfPresent(host?.wifi, forKey: .wifi)
        try content.encode(to: encoder)
        try context?.encode(to: encoder)
    }
}

extension TrackRecord: Codable {
    /// Reads a record, also from a message of `trackengine.record/1`.
    ///
    /// - Throws: `DecodingError` as for a draft, and without `sequence`.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: RecordKey.self)
        self.init(
            sequence: try members.decode(RecordSequence.self, forKey: .sequence), draft: try RecordDraft(from: decoder))
    }

    /// Writes the members of the draft and the sequence into one object.
    public func encode(to encoder: any Encoder) throws {
        try draft.encode(to: encoder)
        var members = encoder.container(keyedBy: RecordKey.self)
        try members.encode(sequence, forKey: .sequence)
    }
}

extension ActivityEstimate: Codable {
    private enum Key: String, CodingKey { case type, confidence }

    /// Reads `type` and `confidence` in per cent.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        self.init(
            try members.decode(Activity.self, forKey: .type),
            confidence: try members.decode(UInt8.self, forKey: .confidence))
    }

    /// Writes `type` and `confidence` in per cent.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(activity, forKey: .type)
        try members.encode(confidence, forKey: .confidence)
    }
}

extension HostStatus {
    /// The battery and the wireless network of a record, which are separate members.
    fileprivate static func decodeIfPresent(_ members: KeyedDecodingContainer<RecordKey>) throws -> HostStatus? {
        let battery = try members.decodeIfPresent(HostStatus.self, forKey: .battery)
        guard let wifi = try members.decodeIfPresent(WifiNetwork.self, forKey: .wifi) else { return battery }
        return HostStatus(
            batteryLevel: battery?.batteryLevel, batteryState: battery?.batteryState ?? .unknown, wifi: wifi)
    }
}

extension WifiNetwork: Codable {
    private enum Key: String, CodingKey { case ssid, bssid }

    /// Reads `ssid` and, if known, `bssid`.
    ///
    /// - Throws: `DecodingError` if the name is empty or too long, or the address is invalid.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        let bssid = try members.decodeIfPresent(String.self, forKey: .bssid).map { text in
            guard let bssid = BSSID(text) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .bssid, in: members, debugDescription: "expected six octets such as 02:00:5e:10:00:01")
            }
            return bssid
        }
        guard let network = WifiNetwork(ssid: try members.decode(String.self, forKey: .ssid), bssid: bssid) else {
            throw DecodingError.dataCorruptedError(
                forKey: .ssid, in: members, debugDescription: "expected 1 to \(Self.nameLimit) bytes")
        }
        self = network
    }

    /// Writes `ssid` and, if known, `bssid`.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(ssid, forKey: .ssid)
        try members.encodeIfPresent(bssid?.description, forKey: .bssid)
    }
}

extension HostStatus: Codable {
    private enum Key: String, CodingKey { case state, level }

    /// Reads `state` and, if known, `level` from 0 to 1.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        self.init(
            batteryLevel: try members.decodeIfPresent(Double.self, forKey: .level),
            batteryState: try members.decode(BatteryState.self, forKey: .state))
    }

    /// Writes `state` and, if known, `level` from 0 to 1.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(batteryState, forKey: .state)
        try members.encodeIfPresent(batteryLevel, forKey: .level)
    }
}
