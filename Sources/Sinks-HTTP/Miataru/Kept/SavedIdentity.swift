import TrackEngine

/// The id and the key that the agent keeps itself, as a JSON document.
package struct SavedIdentity: Sendable, Hashable {
    /// The id; in upper case if the agent made it, as a UUID.
    package var id: String
    /// The key that the server has confirmed; `nil` for none.
    package var key: String?
    /// A key that was sent or is about to be sent, and that the server has not confirmed. It is saved before it is
    /// sent, so the key is not lost to the agent if the process ends after the server has accepted it.
    package var newKey: String?

    /// Creates an identity with a new id.
    static func make(using generator: inout some RandomNumberGenerator) -> SavedIdentity {
        var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        // RFC 9562, section 5.4: version 4, variant 10.
        bytes[6] = bytes[6] & 0x0f | 0x40
        bytes[8] = bytes[8] & 0x3f | 0x80
        // A value of 16 bytes has a description; Miataru's older apps convert every id to upper case.
        return SavedIdentity(id: RecordID(bytes: bytes)?.description.uppercased() ?? "")
    }

    /// The identity for requests.
    var current: MiataruIdentity {
        MiataruIdentity(deviceID: Secret(id), deviceKey: key.map { Secret($0) })
    }

    /// The identity with the key that the server may have; `nil` if no change is pending.
    var pending: MiataruIdentity? {
        newKey.map { MiataruIdentity(deviceID: Secret(id), deviceKey: Secret($0)) }
    }
}

extension SavedIdentity {
    /// Parses a document.
    ///
    /// - Returns: `nil` for one without a valid id.
    package init?(_ json: [UInt8]) {
        guard let document = JSONValue(ifReadable: json), let id = document["id"]?.string else { return nil }
        self.init(id: id, key: document["key"]?.string, newKey: document["newKey"]?.string)
        guard current.hasValidID, current.hasValidKey else { return nil }
        if pending?.hasValidKey == false { newKey = nil }  // no server has accepted it
    }

    /// The document.
    package var json: [UInt8] {
        let document = JSONValue.members(
            ("id", .string(id)), ("key", key.map { .string($0) }), ("newKey", newKey.map { .string($0) }))
        return document.bytes + [UInt8(ascii: "\n")]
    }
}
