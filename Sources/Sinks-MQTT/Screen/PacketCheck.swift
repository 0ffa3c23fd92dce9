/// The rules for packets of a broker (MQTT 5 and MQTT 3.1.1, chapter 3).
enum PacketCheck {
    typealias Version = MQTTSink.Configuration.ProtocolVersion
    typealias Problem = PacketScreen.Problem

    /// Checks a packet's first byte.
    static func checkKind(_ first: UInt8, _ version: Version, hasConnectReply: Bool) throws(Problem) {
        guard let kind = PacketKind(rawValue: first >> 4) else {
            throw .malformed("a broker does not send packets of type \(first >> 4) to this client")
        }
        if (kind == .connack) == hasConnectReply {
            throw .malformed(hasConnectReply ? "a second CONNACK" : "expected CONNACK first, got \(kind.name)")
        }
        if kind == .disconnect, version == .v311 { throw .malformed("MQTT 3.1.1 has no DISCONNECT of the broker's") }
        if kind == .publish {
            if first & 6 > 2 {
                throw .malformed("PUBLISH: quality of service \(first >> 1 & 3), at most 1 was asked for")
            }
        } else if first & 0x0F != 0 {
            throw .malformed("\(kind.name): reserved flags are set")
        }
    }

    /// Checks a whole packet.
    ///
    /// - Parameters:
    ///   - first: its first byte, which ``checkKind(_:_:hasConnectReply:)`` has accepted.
    ///   - body: the bytes after its length.
    static func check(_ first: UInt8, _ body: ArraySlice<UInt8>, _ version: Version) throws(Problem) {
        guard let kind = PacketKind(rawValue: first >> 4) else { return }
        if kind == .connack, version == .v5, body.count == 2, let code = body.last, code != 0 { throw .refused(code) }
        var reader = PacketReader(body)
        let isSound =
            switch kind {
            case .connack: connack(&reader, version)
            case .publish: publish(&reader, version, isAcknowledged: first & 6 != 0)
            case .puback: puback(&reader, version)
            case .suback: suback(&reader, version)
            case .pingresp: true
            case .disconnect: reasonAndProperties(&reader, .disconnect)
            }
        if let problem = reader.problem { throw .malformed("\(kind.name): \(problem)") }
        if !isSound || !reader.isAtEnd { throw .malformed("\(kind.name): its members do not fit its length") }
    }

    // MARK: Kinds

    private static func connack(_ reader: inout PacketReader, _ version: Version) -> Bool {
        guard let flags = reader.byte(), flags <= 1, reader.byte() != nil else { return false }
        return version == .v311 || reader.properties(of: .connack)
    }

    /// The rest of the packet is the payload, with arbitrary contents.
    private static func publish(_ reader: inout PacketReader, _ version: Version, isAcknowledged: Bool) -> Bool {
        guard let topic = reader.text() else { return false }
        if topic.isEmpty || topic.utf8.contains(where: { $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: "+") }) {
            return reader.fail("expected a topic without wildcards")
        }
        if isAcknowledged, !packetIdentifier(&reader) { return false }
        if version == .v5, !reader.properties(of: .publish) { return false }
        reader.skipToEnd()
        return true
    }

    private static func puback(_ reader: inout PacketReader, _ version: Version) -> Bool {
        guard packetIdentifier(&reader) else { return false }
        return version == .v311 || reasonAndProperties(&reader, .puback)
    }

    /// Requires at least one reason: the library passes its caller a pointer to the first.
    private static func suback(_ reader: inout PacketReader, _ version: Version) -> Bool {
        guard packetIdentifier(&reader) else { return false }
        if version == .v5, !reader.properties(of: .suback) { return false }
        guard !reader.isAtEnd else { return reader.fail("expected a reason for each subscription") }
        reader.skipToEnd()
        return true
    }

    /// A reason and properties, or only the reason, or neither (MQTT 5 sections 3.4.2 and 3.14.2).
    private static func reasonAndProperties(_ reader: inout PacketReader, _ kind: PacketKind) -> Bool {
        guard !reader.isAtEnd else { return true }
        guard reader.byte() != nil else { return false }
        return reader.isAtEnd || reader.properties(of: kind)
    }

    private static func packetIdentifier(_ reader: inout PacketReader) -> Bool {
        guard let identifier = reader.integer(2) else { return false }
        return identifier != 0 || reader.fail("the packet identifier is 0")
    }
}
