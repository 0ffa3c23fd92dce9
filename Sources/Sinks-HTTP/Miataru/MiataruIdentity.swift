public import TrackEngine

/// The identity under which a device shares its position at a Miataru server.
public struct MiataruIdentity: Sendable, Hashable {
    /// The device's id, usually a UUID in upper case. Anyone with the id may request the position, so it is a
    /// secret.
    public var deviceID: Secret
    /// The key that the server requires for writing under the id, once a key was set there.
    public var deviceKey: Secret?

    /// Creates an identity.
    public init(deviceID: Secret, deviceKey: Secret? = nil) {
        self.deviceID = deviceID
        self.deviceKey = deviceKey
    }

    /// The rule for ids, as the end of "expected …".
    static let idExpectation = "1 to 256 printable ASCII characters without blanks, colons and slashes"
    /// The rule for keys, as the end of "expected …".
    static let keyExpectation = "1 to 256 characters in one line"

    /// Whether servers and apps accept the id, which is part of links such as `miataru://ID`.
    var hasValidID: Bool {
        let id = deviceID.revealed.utf8
        return (1...256).contains(id.count)
            && id.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "/") }
    }

    /// Whether servers accept the key.
    var hasValidKey: Bool {
        guard let key = deviceKey?.revealed else { return true }
        return (1...256).contains(key.count) && key.utf8.count <= 1024 && !key.utf8.contains { $0 < 0x20 }
    }

    /// The texts that must not be shown.
    var secrets: [String] { [deviceID.revealed, deviceKey?.revealed].compactMap { $0 } }

    /// The start of the id: enough to distinguish two ids, too little for a request.
    var shortened: String { deviceID.revealed.count > 8 ? "\(deviceID.revealed.prefix(4))…" : "…" }
}
