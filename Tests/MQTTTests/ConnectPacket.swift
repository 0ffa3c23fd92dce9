/// A CONNECT packet as a client sent it (MQTT 5 section 3.1, MQTT 3.1.1 section 3.1).
struct ConnectPacket: Sendable, Hashable {
    /// 5, or 4 for MQTT 3.1.1.
    let version: UInt8
    let flags: UInt8
    /// Seconds.
    let keepAlive: Int
    /// The numbers among the properties, by identifier; empty before MQTT 5.
    private(set) var properties: [UInt8: Int] = [:]
    let clientID: String

    /// Clean start in MQTT 5, clean session before.
    var isClean: Bool { flags & 0x02 != 0 }
    var hasWill: Bool { flags & 0x04 != 0 }
    var willQualityOfService: UInt8 { flags >> 3 & 3 }
    var isWillRetained: Bool { flags & 0x20 != 0 }
    var hasUsername: Bool { flags & 0x80 != 0 }
    var hasPassword: Bool { flags & 0x40 != 0 }

    /// Decodes what follows the fixed header; `nil` if it is not a CONNECT packet as our client may send it.
    init?(_ body: [UInt8]) {
        var rest = body[...]
        func number(_ size: Int) -> Int? {
            guard rest.count >= size else { return nil }
            defer { rest = rest.dropFirst(size) }
            return rest.prefix(size).reduce(0) { $0 << 8 | Int($1) }
        }
        func text() -> String? {
            guard let length = number(2), rest.count >= length else { return nil }
            defer { rest = rest.dropFirst(length) }
            return String(decoding: rest.prefix(length), as: UTF8.self)
        }
        guard text() == "MQTT", let version = number(1), let flags = number(1), let keepAlive = number(2) else {
            return nil
        }
        self.version = UInt8(version)
        self.flags = UInt8(flags)
        self.keepAlive = keepAlive
        if version == 5 {
            // A variable byte integer, below 128 with the few properties that there are.
            guard let length = number(1), length < 128 else { return nil }
            let end = rest.count - length
            while rest.count > end {
                guard let identifier = number(1), let size = Self.sizes[UInt8(identifier)], let value = number(size)
                else { return nil }
                properties[UInt8(identifier)] = value
            }
        }
        guard let clientID = text() else { return nil }
        self.clientID = clientID
    }

    /// The bytes of the properties that are numbers (MQTT 5 section 2.2.2.2).
    private static let sizes: [UInt8: Int] = [
        sessionExpiry: 4, receiveMaximum: 2, maximumPacketSize: 4, 0x22: 2, 0x19: 1, 0x17: 1,
    ]
    static let sessionExpiry: UInt8 = 0x11
    static let receiveMaximum: UInt8 = 0x21
    static let maximumPacketSize: UInt8 = 0x27
}
