/// Examines the bytes from a broker before libmosquitto reads them.
///
/// libmosquitto 2.0.11 ends the process (`assert(mosq)` in its logging) when a packet has an unknown property, and
/// allocates memory for a packet before it checks the length. So bytes are passed on only after this value has
/// accepted them. It refuses an excessive length as soon as it is declared, and a malformed packet before its last
/// byte is passed on. It holds at most one packet, and no more bytes of it than its declared length.
package struct PacketScreen: Sendable {
    /// The reason why a connection must end.
    package enum Problem: Error, Sendable, Hashable {
        /// The bytes are no packet that a broker may send here; with the packet found and the one expected.
        case malformed(String)
        /// A message is larger than this client accepts; with its size in bytes.
        case tooLarge(Int)
        /// The broker refused the connection with a packet of the other version of the protocol.
        case refused(UInt8)
        /// The peer replies in TLS.
        case repliesInTLS
    }

    /// The largest packet with a message, in bytes, as announced to the broker in CONNECT: commands are small.
    package static let maximumMessage = 65_536
    /// The largest packet of any other kind, in bytes.
    static let maximumPacket = 4096

    private let version: MQTTSink.Configuration.ProtocolVersion
    /// The current packet, as far as it has arrived.
    private var packet: [UInt8] = []
    /// Its whole length, once known.
    private var length: Int?
    /// The index of its body, once the length is known.
    private var body = 0
    /// Whether CONNACK has arrived. It must be the first packet, and the only one of its kind.
    private var hasConnectReply = false

    /// A screen before the first byte.
    package init(version: MQTTSink.Configuration.ProtocolVersion) {
        self.version = version
    }

    /// The number of bytes held of the current packet; at most ``maximumMessage``.
    package var held: Int { packet.count }

    /// Examines the next bytes of the connection. They may be passed on if this returns; after it has thrown, no
    /// bytes may be.
    package mutating func examine(_ bytes: some Collection<UInt8>) throws(Problem) {
        var rest = bytes[...]
        while let first = rest.first {
            guard let length else {
                packet.append(first)
                rest = rest.dropFirst()
                try readHeader()
                continue
            }
            let part = rest.prefix(length - packet.count)
            packet += part
            rest = rest.dropFirst(part.count)
            try finish(length)
        }
    }

    /// Reads the fixed header as far as it has arrived (MQTT 5 section 2.1).
    private mutating func readHeader() throws(Problem) {
        guard let first = packet.first else { return }
        if packet.count == 1 {
            // The TLS record types "alert" and "handshake".
            if !hasConnectReply, first == 0x15 || first == 0x16 { throw .repliesInTLS }
            return try PacketCheck.checkKind(first, version, hasConnectReply: hasConnectReply)
        }
        guard let last = packet.last, last & 0x80 == 0 else {
            if packet.count > 4 { throw .malformed("expected a packet length of at most 4 bytes") }
            return
        }
        let rest = packet.dropFirst().reversed().reduce(0) { $0 << 7 | Int($1 & 0x7F) }
        body = packet.count
        let total = body + rest
        if PacketKind(rawValue: first >> 4) == .publish {
            if total > Self.maximumMessage { throw .tooLarge(total) }
        } else if total > Self.maximumPacket {
            throw .malformed("expected a packet of at most \(Self.maximumPacket) bytes, got \(total)")
        }
        length = total
        try finish(total)
    }

    /// Checks the whole packet once it is complete.
    private mutating func finish(_ length: Int) throws(Problem) {
        guard packet.count == length else { return }
        try PacketCheck.check(packet[0], packet[body...], version)
        hasConnectReply = true
        packet.removeAll(keepingCapacity: true)
        self.length = nil
    }
}

/// The kinds of packet that a broker may send to a client that publishes and subscribes with quality of service 0 and 1
/// (MQTT 5 section 2.1.2).
enum PacketKind: UInt8 {
    case connack = 2
    case publish = 3
    case puback = 4
    case suback = 9
    case pingresp = 13
    case disconnect = 14

    /// The name in the standard.
    var name: String {
        switch self {
        case .connack: "CONNACK"
        case .publish: "PUBLISH"
        case .puback: "PUBACK"
        case .suback: "SUBACK"
        case .pingresp: "PINGRESP"
        case .disconnect: "DISCONNECT"
        }
    }
}
