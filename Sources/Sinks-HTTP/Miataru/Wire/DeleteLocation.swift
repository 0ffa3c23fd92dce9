import TrackEngine

/// The call `DeleteLocation`: the server deletes position, history and visitors of a device.
enum DeleteLocation {
    /// The document for an identity.
    static func document(_ identity: MiataruIdentity) -> JSONValue {
        var members = [JSONValue.Member("Device", .string(identity.deviceID.revealed))]
        if let key = identity.deviceKey { members.append(.init("DeviceKey", .string(key.revealed))) }
        return .object([.init("MiataruDeleteLocation", .object(members))])
    }

    /// The body of a request.
    static func body(_ identity: MiataruIdentity) -> [UInt8] {
        var writer = JSONWriter()
        document(identity).write(to: &writer)
        return writer.bytes
    }
}
