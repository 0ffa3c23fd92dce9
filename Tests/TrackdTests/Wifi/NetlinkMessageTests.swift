import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent

/// The octets of netlink's messages.
@Suite struct NetlinkMessageTests {
    /// As `iw` sends it, on a machine that has its lowest octet first.
    @Test(.enabled(if: 1.littleEndian == 1))
    func `the request for nl80211's number has the kernel's layout`() {
        let body = GenericNetlinkMessage(
            command: WifiQuery.Controller.getFamily,
            [NetlinkAttribute(WifiQuery.Controller.familyName, text: "nl80211")])
        let message = NetlinkMessage(type: 0x10, flags: 5, sequence: 0x0102_0304, payload: body.payload)
        #expect(
            message.bytes == [
                32, 0, 0, 0, 0x10, 0, 5, 0, 4, 3, 2, 1, 0, 0, 0, 0,
                3, 0, 0, 0,
                12, 0, 2, 0, 0x6e, 0x6c, 0x38, 0x30, 0x32, 0x31, 0x31, 0,
            ])
    }

    @Test func `what is written is read again, several messages in a datagram`() {
        let first = GenericNetlinkMessage(
            command: 7, [NetlinkAttribute(52, [1, 2, 3]), NetlinkAttribute(3, number: 0x0102_0304)])
        let messages = [
            NetlinkMessage(type: 29, flags: 2, sequence: 1, payload: first.payload),
            NetlinkMessage(type: 3, flags: 2, sequence: 1, payload: []),
        ]
        let read = NetlinkMessage.messages(in: messages.flatMap(\.bytes))
        #expect(read == messages)
        let generic = read.first.flatMap { GenericNetlinkMessage(payload: $0.payload) }
        #expect(generic == first)
        #expect(generic?.value(of: 3)?.native(at: 0, as: UInt32.self) == 0x0102_0304)
    }

    @Test func `the flags of an attribute's type are none of its type`() {
        let nested = NetlinkAttribute(0x8000 | 47, [1])
        #expect(nested.type == 47)
    }

    @Test func `a length that cannot be ends the reading, and what came before stays`() {
        let whole = NetlinkMessage(type: 29, flags: 0, sequence: 1, payload: [7, 0, 0, 0])
        for length in [UInt8(0), 15, 21, 255] {
            var broken = whole.bytes
            broken[0] = length
            #expect(NetlinkMessage.messages(in: whole.bytes + broken) == [whole])
        }
        for length in [UInt8(0), 3, 9, 255] {
            #expect(NetlinkAttribute.attributes(in: [length, 0, 52, 0, 1, 2, 3, 4]).isEmpty)
        }
    }

    @Test func `no octets bring it to a stop, wherever they are cut or changed`() {
        var random = SeededGenerator(seed: 0x6e6c_3830)
        let kernel = KernelMessages(interfaces: [
            .init(index: 3, name: "wlan0", ssid: Array("depot".utf8), station: [2, 0, 0x5e, 0x10, 0, 1])
        ])
        let asked = GenericNetlinkMessage(command: KernelMessages.NL80211.getInterface)
        let request = NetlinkMessage(
            type: KernelMessages.family, flags: NetlinkMessage.Flags.dump, sequence: 1, payload: asked.payload)
        let sound = kernel.datagrams(for: request).flatMap(\.self)
        for round in 0..<20_000 {
            var datagram = sound
            for _ in 0...round % 4 { Mutation.apply(to: &datagram, using: &random) }
            datagram = Array(datagram.prefix(Int.random(in: 0...datagram.count, using: &random)))
            for message in NetlinkMessage.messages(in: datagram) {
                #expect(message.payload.count <= datagram.count)
                let generic = GenericNetlinkMessage(payload: message.payload)
                #expect(generic?.attributes.allSatisfy { $0.value.count <= message.payload.count } ?? true)
            }
            var reply = NetlinkReply(to: 1)
            // A refusal of the kernel is one of the things that random octets say.
            try? reply.take(datagram)
            #expect(reply.messages.count <= datagram.count / NetlinkMessage.headerSize)
        }
    }

    @Test func `messages for other requests are passed over, and nothing is read behind the end`() throws {
        func message(_ type: UInt16, _ sequence: UInt32, _ command: UInt8) -> [UInt8] {
            let body = GenericNetlinkMessage(command: command).payload
            return NetlinkMessage(type: type, flags: 0, sequence: sequence, payload: body).bytes
        }
        let done = NetlinkMessage(
            type: NetlinkMessage.Control.done, flags: 0, sequence: 2, payload: [0, 0, 0, 0]
        ).bytes
        var reply = NetlinkReply(to: 2)
        try reply.take(message(29, 1, 5) + message(29, 2, 6))
        #expect(!reply.isComplete)
        try reply.take(done + message(29, 2, 7))
        #expect(reply.isComplete && reply.messages.map(\.command) == [6])
    }
}
