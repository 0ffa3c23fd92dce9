import TrackEngine

/// The call `DeleteLocation`: the server deletes position, history and visitors of a device.
enum DeleteLocation {
    static func document(_ identity: MiataruIdentity) -> JSONValue {
        let members = JSONValue.members(
            ("Device", .string(identity.deviceID.revealed)),
            ("DeviceKey", identity.deviceKey.map { .string($0.revealed) }))
        return .object([.init("MiataruDeleteLocation", members)])
    }

    /// The body of a request.
    static func body(_ identity: MiataruIdentity) -> [UInt8] {
        document(identity).bytes
    }
}
