import TrackEngine

/// The id and the key that the agent keeps itself, as a JSON document.
package struct KeptIdentity: Sendable, Hashable {
    /// The id, a UUID in upper case where it was made here.
    package var id: String
    /// The key that the server has confirmed; `nil` for none.
    package var key: String?
    /// A key that was or is about to be sent, and that the server has not confirmed. It is on the disk before it is sent, so that
    /// no end of the process leaves a server with a key that nobody has.
    package var newKey: String?

    /// An identity with a new id.
    static func make(using generator: inout some RandomNumberGenerator) -> KeptIdentity {
        var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        // RFC 9562, section 5.4: version 4, variant 10.
        bytes[6] = bytes[6] & 0x0f | 0x40
        bytes[8] = bytes[8] & 0x3f | 0x80
        // A value of 16 bytes has a description; capitals are what Miataru's older apps make of any id.
        return KeptIdentity(id: RecordID(bytes: bytes)?.description.uppercased() ?? "")
    }

    /// The identity that requests are made with.
    var current: MiataruIdentity {
        MiataruIdentity(deviceID: Secret(id), deviceKey: key.map { Secret($0) })
    }

    /// The identity with the key that the server may have; `nil` where none is under way.
    var pending: MiataruIdentity? {
        newKey.map { MiataruIdentity(deviceID: Secret(id), deviceKey: Secret($0)) }
    }
}

extension KeptIdentity {
    /// Reads a document.
    ///
    /// - Returns: `nil` for one that holds no usable id.
    package init?(_ json: [UInt8]) {
        guard let document = JSONValue(ifReadable: json), let id = document["id"]?.string else { return nil }
        self.init(id: id, key: document["key"]?.string, newKey: document["newKey"]?.string)
        guard current.hasValidID, current.hasValidKey else { return nil }
        if pending?.hasValidKey == false { newKey = nil }  // no server has taken it
    }

    /// The document.
    package var json: [UInt8] {
        var members = [JSONValue.Member("id", .string(id))]
        if let key { members.append(.init("key", .string(key))) }
        if let newKey { members.append(.init("newKey", .string(newKey))) }
        var writer = JSONWriter()
        JSONValue.object(members).write(to: &writer)
        return writer.bytes + [UInt8(ascii: "\n")]
    }
}
