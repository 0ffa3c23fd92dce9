extension PacketReader {
    /// Reads a packet's properties (MQTT 5 section 2.2.2). Each must be known, allowed in this kind of packet, of
    /// its type, and present only once unless it may be repeated.
    mutating func properties(of kind: PacketKind) -> Bool {
        guard let length = variableInteger(), var list = part(length) else { return false }
        var seen: UInt64 = 0
        while !list.isAtEnd {
            guard let identifier = list.byte(), let rule = PropertyRule(identifier), rule.kinds.contains(kind) else {
                return fail("it has a property that is unknown or not allowed there")
            }
            let mark: UInt64 = 1 << UInt64(identifier)  // identifiers of rules are below 43
            guard rule.canRepeat || seen & mark == 0 else { return fail("property \(identifier) is there twice") }
            seen |= mark
            guard list.value(of: rule.value) else { return fail("the value of property \(identifier) is not valid") }
        }
        return true
    }

    private mutating func value(of type: PropertyRule.Value) -> Bool {
        switch type {
        case .flag: byte().map { $0 <= 1 } ?? false
        case .integer(let count): integer(count) != nil
        case .positive(let count): integer(count).map { $0 > 0 } ?? false
        case .variable: variableInteger() != nil
        case .binary: binary() != nil
        case .text: text() != nil
        case .pair: text() != nil && text() != nil
        }
    }
}

/// A row of the table of properties (MQTT 5 section 2.2.2.2) that brokers may send to this client.
struct PropertyRule {
    /// The type of the value after the identifier.
    enum Value {
        /// A byte, 0 or 1.
        case flag
        /// An integer with this number of bytes.
        case integer(Int)
        /// A positive integer with this number of bytes.
        case positive(Int)
        /// A variable byte integer.
        case variable
        case binary
        case text
        /// Two texts.
        case pair
    }

    let value: Value
    let kinds: Set<PacketKind>
    var canRepeat = false

    private init(_ value: Value, _ kinds: PacketKind..., canRepeat: Bool = false) {
        self.value = value
        self.kinds = Set(kinds)
        self.canRepeat = canRepeat
    }

    /// The rule for an identifier; `nil` for one that no broker may send to this client.
    init?(_ identifier: UInt8) {
        guard let rule = Self.rules[identifier] else { return nil }
        self = rule
    }

    /// The rules. The topic alias (0x23) is missing because this client allows none. Properties of only AUTH and
    /// CONNECT are missing because no broker sends them.
    private static let rules: [UInt8: PropertyRule] = [
        0x01: PropertyRule(.flag, .publish),  // payload format indicator
        0x02: PropertyRule(.integer(4), .publish),  // message expiry interval
        0x03: PropertyRule(.text, .publish),  // content type
        0x08: PropertyRule(.text, .publish),  // response topic
        0x09: PropertyRule(.binary, .publish),  // correlation data
        0x0B: PropertyRule(.variable, .publish, canRepeat: true),  // subscription identifier
        0x11: PropertyRule(.integer(4), .connack, .disconnect),  // session expiry interval
        0x12: PropertyRule(.text, .connack),  // assigned client identifier
        0x13: PropertyRule(.integer(2), .connack),  // server keep alive
        0x15: PropertyRule(.text, .connack),  // authentication method
        0x16: PropertyRule(.binary, .connack),  // authentication data
        0x1A: PropertyRule(.text, .connack),  // response information
        0x1C: PropertyRule(.text, .connack, .disconnect),  // server reference
        0x1F: PropertyRule(.text, .connack, .puback, .suback, .disconnect),  // reason string
        0x21: PropertyRule(.positive(2), .connack),  // receive maximum
        0x22: PropertyRule(.integer(2), .connack),  // topic alias maximum
        0x24: PropertyRule(.flag, .connack),  // maximum quality of service
        0x25: PropertyRule(.flag, .connack),  // retain available
        0x26: PropertyRule(.pair, .connack, .publish, .puback, .suback, .disconnect, canRepeat: true),  // user property
        0x27: PropertyRule(.positive(4), .connack),  // maximum packet size
        0x28: PropertyRule(.flag, .connack),  // wildcard subscription available
        0x29: PropertyRule(.flag, .connack),  // subscription identifiers available
        0x2A: PropertyRule(.flag, .connack),  // shared subscription available
    ]
}
