public import TrackEngine

// Names are encoded as strings, numbers as numbers, a record's id as its UUID.

extension SourceID: Codable {}
extension SinkID: Codable {}
extension DeviceID: Codable {}
extension RecordSequence: Codable {}

extension RecordID: Codable {
    /// Reads an upper-case or lower-case UUID.
    ///
    /// - Throws: `DecodingError` for any other value.
    public init(from decoder: any Decoder) throws {
        self = try decoder.value("a UUID") { RecordID($0) }
    }

    /// Writes an upper-case UUID.
    public func encode(to encoder: any Encoder) throws {
        try encoder.write(description)
    }
}

extension EventID: Codable {
    /// Reads an upper-case or lower-case UUID.
    ///
    /// - Throws: `DecodingError` for any other value.
    public init(from decoder: any Decoder) throws {
        self.init(rawValue: try RecordID(from: decoder).rawValue)
    }

    /// Writes an upper-case UUID.
    public func encode(to encoder: any Encoder) throws {
        try encoder.write(description)
    }
}

extension Timestamp: Codable {
    /// Reads a time in RFC 3339.
    ///
    /// - Throws: `DecodingError` for any other value, including a time without an offset.
    public init(from decoder: any Decoder) throws {
        self = try decoder.value("a time of RFC 3339 with its offset") { Timestamp(rfc3339: $0) }
    }

    /// Writes the time in RFC 3339 in UTC with nanoseconds, which is read back as the same time.
    public func encode(to encoder: any Encoder) throws {
        try encoder.write(rfc3339(.nanoseconds))
    }
}

extension Decoder {
    /// The value that a string represents.
    func value<Value>(_ expectation: String, _ make: (String) -> Value?) throws -> Value {
        let container = try singleValueContainer()
        guard let value = make(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "expected \(expectation)")
        }
        return value
    }
}

extension Encoder {
    /// Writes a string as the only value.
    func write(_ text: String) throws {
        var container = singleValueContainer()
        try container.encode(text)
    }
}
