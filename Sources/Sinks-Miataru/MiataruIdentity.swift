public import TrackEngine

/// Under which name a device shares its place at a Miataru server.
public struct MiataruIdentity: Sendable, Hashable {
    /// The device's id, as a rule a UUID in upper case. Whoever knows it may ask the server for the place, so it is a secret.
    public var deviceID: Secret
    /// What the server demands of those who write under the id, once it has been set there.
    public var deviceKey: Secret?

    /// An identity.
    public init(deviceID: Secret, deviceKey: Secret? = nil) {
        self.deviceID = deviceID
        self.deviceKey = deviceKey
    }

    /// What was expected of an id, in words that complete "expected …".
    static let idExpectation = "1 to 256 printable ASCII characters without blanks, colons and slashes"
    /// What was expected of a key.
    static let keyExpectation = "1 to 256 characters in one line"

    /// Whether servers and apps take the id: it stands in links such as `miataru://ID`.
    var hasValidID: Bool {
        let id = deviceID.revealed.utf8
        return (1...256).contains(id.count)
            && id.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "/") }
    }

    /// Whether servers take the key.
    var hasValidKey: Bool {
        guard let key = deviceKey?.revealed else { return true }
        return (1...256).contains(key.count) && key.utf8.count <= 1024 && !key.utf8.contains { $0 < 0x20 }
    }

    /// The texts that must not show.
    var secrets: [String] { [deviceID.revealed, deviceKey?.revealed].compactMap { $0 } }

    /// Enough of the id to tell two apart, and too little to ask with.
    var shortened: String { deviceID.revealed.count > 8 ? "\(deviceID.revealed.prefix(4))…" : "…" }
}
