import Testing
import TrackEngineMQTT

@Suite("What a broker may send")
struct PacketScreenTests {
    typealias Version = MQTTSink.Configuration.ProtocolVersion

    /// What a screen says to these bytes after a CONNACK; `nil` when it accepts them.
    private func violation(
        _ bytes: [UInt8], _ version: Version = .v5, afterAnswer: Bool = true
    ) -> PacketScreen.Problem? {
        var screen = PacketScreen(version: version)
        do throws(PacketScreen.Problem) {
            if afterAnswer { try screen.examine(version == .v5 ? [0x20, 3, 0, 0, 0] : [0x20, 2, 0, 0]) }
            try screen.examine(bytes)
            return nil
        } catch { return error }
    }

    private func isMalformed(_ bytes: [UInt8], _ version: Version = .v5, afterAnswer: Bool = true) -> Bool {
        guard case .malformed = violation(bytes, version, afterAnswer: afterAnswer) else { return false }
        return true
    }

    @Test(
        arguments: [
            [0x30, 5, 0, 1, 0x61, 0, 0x78], [0x31, 4, 0, 1, 0x61, 0], [0x3A, 6, 0, 1, 0x61, 0, 1, 0],
            [0x40, 2, 0, 1], [0x40, 3, 0, 1, 0x87], [0x40, 4, 0, 1, 0, 0],
            [0x90, 4, 0, 1, 0, 1], [0xD0, 0], [0xE0, 0], [0xE0, 1, 0x8B], [0xE0, 2, 0x8B, 0],
        ] as [[UInt8]])
    func `Packets of MQTT 5 that a broker may send`(_ packet: [UInt8]) {
        #expect(violation(packet) == nil)
    }

    @Test(
        arguments: [[0x30, 4, 0, 1, 0x61, 0x78], [0x40, 2, 0, 1], [0x90, 3, 0, 1, 0x80], [0xD0, 0]] as [[UInt8]])
    func `Packets of MQTT 3.1.1 that a broker may send`(_ packet: [UInt8]) {
        #expect(violation(packet, .v311) == nil)
    }

    @Test(
        arguments: [0x00, 0x10, 0x50, 0x62, 0x70, 0x82, 0xA2, 0xB0, 0xC0, 0xF0] as [UInt8])
    func `Kinds of packet that no broker sends to this client`(_ first: UInt8) {
        #expect(isMalformed([first, 0]))
        #expect(isMalformed([first]))
    }

    @Test(
        arguments: [
            [0x20, 3, 0, 0, 0],  // a second CONNACK
            [0x32, 4, 0, 1, 0x61, 0], [0x32, 6, 0, 1, 0x61, 0, 0, 0],  // without an identifier, with 0
            [0x34, 6, 0, 1, 0x61, 0, 1, 0], [0x36, 6, 0, 1, 0x61, 0, 1, 0],  // quality of service 2 and 3
            [0x30, 3, 0, 0, 0], [0x30, 4, 0, 1, 0x23, 0], [0x30, 4, 0, 1, 0x2B, 0], [0x30, 4, 0, 1, 0xFF, 0],
            [0x30, 4, 0, 1, 0, 0], [0x30, 4, 0, 9, 0x61, 0],  // U+0000, longer than the packet
            [0x30, 3, 0, 1, 0x61],  // no properties
            [0x30, 4, 0, 1, 0x61, 9], [0x30, 5, 0, 1, 0x61, 0x80, 0x80],  // properties longer than the packet
            [0x40, 1, 0], [0x40, 2, 0, 0], [0x41, 2, 0, 1], [0x40, 5, 0, 1, 0, 0, 0],
            [0x90, 3, 0, 1, 0], [0x90, 2, 0, 1], [0x92, 4, 0, 1, 0, 0],  // without a reason, and with flags
            [0xD0, 1, 0], [0xD1, 0], [0xE1, 0], [0xE0, 3, 0, 0, 0],
            [0xD0, 0x80, 0x80, 0x80, 0x80],  // a length of more than four bytes
            [0x40, 0x81, 0x20],  // 4097 bytes of PUBACK
        ] as [[UInt8]])
    func `Packets whose members are wrong`(_ packet: [UInt8]) {
        #expect(isMalformed(packet))
    }

    @Test(arguments: [[0xD0, 0], [0x40, 2, 0, 1], [0xE0, 0]] as [[UInt8]])
    func `CONNACK comes first`(_ packet: [UInt8]) {
        #expect(isMalformed(packet, afterAnswer: false))
    }

    @Test(
        arguments: [
            ([0x20, 3, 0, 0, 0], true), ([0x20, 3, 1, 0x87, 0], true), ([0x20, 3, 2, 0, 0], false),
            ([0x20, 2, 0, 0], false), ([0x20, 5, 0, 0, 2, 0x7F, 0], false), ([0x20, 5, 0, 0, 2, 0x24, 1], true),
            ([0x20, 5, 0, 0, 2, 0x24, 2], false), ([0x20, 6, 0, 0, 3, 0x21, 0, 0], false),
            ([0x20, 8, 0, 0, 5, 0x27, 0, 0, 0, 0], false), ([0x20, 7, 0, 0, 4, 0x24, 1, 0x24, 1], false),
        ] as [([UInt8], Bool)])
    func `CONNACK's members`(_ packet: [UInt8], _ isAccepted: Bool) {
        #expect((violation(packet, afterAnswer: false) == nil) == isAccepted)
    }

    @Test
    func `A refusal in the other version of the protocol is told by its code`() {
        #expect(violation([0x20, 2, 0, 1], afterAnswer: false) == .refused(1))
    }

    @Test(arguments: [[0x15, 3, 3, 0, 2, 2, 70], [0x16, 3, 1]] as [[UInt8]])
    func `Who answers in TLS is told apart`(_ bytes: [UInt8]) {
        #expect(violation(bytes, afterAnswer: false) == .repliesInTLS)
    }

    @Test
    func `A message is refused by its length before any of it has come in`() {
        #expect(violation([0x30, 0xFF, 0xFF, 0xFF, 0x7F]) == .tooLarge(268_435_460))
        #expect(violation([0x30, 0xFC, 0xFF, 3]) == nil)  // 65 532 and 4: as long as it may be
        #expect(violation([0x30, 0xFD, 0xFF, 3]) == .tooLarge(65_537))
    }

    /// MQTT 5 table 2-4: each property, a value that is valid for it, and the packets of a broker that may carry it.
    private static let table: [(property: UInt8, value: [UInt8], packets: String)] = [
        (0x01, [1], "P"), (0x02, [0, 0, 0, 1], "P"), (0x03, [0, 1, 0x61], "P"), (0x08, [0, 1, 0x61], "P"),
        (0x09, [0, 1, 0], "P"), (0x0B, [1], "P"), (0x11, [0, 0, 0, 1], "CD"), (0x12, [0, 1, 0x61], "C"),
        (0x13, [0, 9], "C"), (0x15, [0, 1, 0x61], "C"), (0x16, [0, 1, 0], "C"), (0x17, [1], ""),
        (0x18, [0, 0, 0, 1], ""), (0x19, [1], ""), (0x1A, [0, 1, 0x61], "C"), (0x1C, [0, 1, 0x61], "CD"),
        (0x1F, [0, 1, 0x61], "CASD"), (0x21, [0, 1], "C"), (0x22, [0, 1], "C"), (0x23, [0, 1], ""),
        (0x24, [1], "C"), (0x25, [1], "C"), (0x26, [0, 1, 0x61, 0, 0], "CPASD"), (0x27, [0, 0, 1, 0], "C"),
        (0x28, [1], "C"), (0x29, [1], "C"), (0x2A, [1], "C"),
    ]

    /// A packet of each kind with these properties.
    private func packets(_ properties: [UInt8]) -> [(letter: Character, bytes: [UInt8])] {
        let list = [UInt8(properties.count)] + properties
        let bodies: [(Character, UInt8, [UInt8])] = [
            ("C", 0x20, [0, 0] + list), ("P", 0x30, [0, 1, 0x61] + list), ("A", 0x40, [0, 1, 0] + list),
            ("S", 0x90, [0, 1] + list + [0]), ("D", 0xE0, [0] + list),
        ]
        return bodies.map { ($0.0, [$0.1, UInt8($0.2.count)] + $0.2) }
    }

    @Test
    func `Every property is accepted in the packets that may carry it, whole and once, and nowhere else`() {
        for property in UInt8.min...UInt8.max {
            let row = Self.table.first { $0.property == property }
            let value = row?.value ?? [0, 0, 0, 0]
            for (letter, bytes) in packets([property] + value) {
                let isAllowed = row?.packets.contains(letter) == true
                #expect(
                    (violation(bytes, afterAnswer: letter != "C") == nil) == isAllowed, "\(property) in \(letter)")
            }
            guard row?.packets.isEmpty == false else { continue }
            for (letter, bytes) in packets([property] + value.dropLast()) {
                #expect(violation(bytes, afterAnswer: letter != "C") != nil, "\(property), cut, in \(letter)")
            }
            for (letter, bytes) in packets([property] + value + [property] + value) {
                let isAllowed =
                    row?.packets.contains(letter) == true && (property == 0x26 || property == 0x0B)
                #expect(
                    (violation(bytes, afterAnswer: letter != "C") == nil) == isAllowed, "\(property) twice in \(letter)"
                )
            }
        }
    }

    @Test
    func `Where the bytes are cut makes no difference, and no more is held than a packet`() throws {
        let good: [UInt8] = [0x20, 3, 0, 0, 0, 0x40, 2, 0, 1, 0x30, 5, 0, 1, 0x61, 0, 0x78, 0xD0, 0]
        let bad: [UInt8] = good + [0x40, 6, 0, 1, 0, 2, 0x7F, 0]
        for size in 1...bad.count {
            var screen = PacketScreen(version: .v5)
            for start in stride(from: 0, to: good.count, by: size) {
                try screen.examine(good[start..<min(start + size, good.count)])
                #expect(screen.held <= 7)
            }
            #expect(throws: PacketScreen.Problem.self) {
                for byte in bad[good.count...] { try screen.examine([byte]) }
            }
        }
    }
}
