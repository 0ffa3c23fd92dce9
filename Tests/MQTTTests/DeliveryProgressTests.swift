import Testing
import TrackEngine
import TrackEngineMQTT

@Suite("The progress of a delivery")
struct DeliveryProgressTests {
    private let denied = DeliveryError(.needsOperator, "denied")

    /// A delivery of so many messages, all of them sent.
    private func sent(_ count: Int) -> DeliveryProgress {
        var progress = DeliveryProgress(count: count)
        for _ in 0..<count { progress.sent() }
        return progress
    }

    @Test
    func `Messages are sent in order, then nothing more`() {
        var progress = DeliveryProgress(count: 2)
        #expect(progress.upcoming == 0)
        progress.sent()
        #expect(progress.upcoming == 1)
        progress.sent()
        #expect(progress.upcoming == nil)
        #expect(progress.result == nil)
    }

    @Test
    func `Only messages from the first on count, whatever the order of acknowledgements`() {
        var progress = sent(4)
        progress.concluded(1, .taken)
        progress.concluded(3, .taken)
        #expect(progress.interrupted(by: denied).settled == 0)
        progress.concluded(0, .taken)
        #expect(progress.interrupted(by: denied).settled == 2)
        progress.concluded(2, .taken)
        #expect(progress.result == .init(settled: 4, dead: [], failure: nil))
    }

    @Test
    func `A dead message is settled and named, and the rest goes on`() {
        var progress = sent(3)
        progress.concluded(1, .dead("bad"))
        progress.concluded(0, .taken)
        progress.concluded(2, .taken)
        let result = progress.result
        #expect(result?.settled == 3)
        #expect(result?.dead.map(\.message) == [1])
        #expect(result?.dead.map(\.reason) == ["bad"])
    }

    @Test
    func `A failure stops the sending, and what was sent before it is waited for`() {
        var progress = DeliveryProgress(count: 5)
        for _ in 0..<3 { progress.sent() }
        progress.concluded(1, .failed(denied))
        #expect(progress.upcoming == nil)
        #expect(progress.result == nil)
        progress.concluded(2, .taken)
        progress.concluded(0, .taken)
        #expect(progress.result == .init(settled: 1, dead: [], failure: denied))
    }

    @Test
    func `What arrives after the failed message counts for nothing`() {
        var progress = sent(3)
        progress.concluded(0, .failed(denied))
        progress.concluded(1, .taken)
        progress.concluded(2, .taken)
        #expect(progress.result == .init(settled: 0, dead: [], failure: denied))
    }

    @Test
    func `A denied message is dead once one behind it is taken; nothing is sent until that is known`() {
        var progress = DeliveryProgress(count: 4)
        for _ in 0..<3 { progress.sent() }
        progress.concluded(0, .denied(denied))
        #expect(progress.upcoming == nil && progress.result == nil)
        progress.concluded(1, .denied(denied))
        #expect(progress.result == nil)
        progress.concluded(2, .taken)
        #expect(progress.upcoming == 3)
        progress.sent()
        progress.concluded(3, .taken)
        #expect(progress.result?.settled == 4 && progress.result?.failure == nil)
        #expect(progress.result?.dead.map(\.message) == [0, 1])
    }

    @Test(arguments: [true, false])
    func `Behind a denied message at least one is sent, if there is one`(_ isTaken: Bool) {
        var progress = DeliveryProgress(count: 3)
        progress.sent()
        progress.concluded(0, .denied(denied))
        #expect(progress.upcoming == 1 && progress.result == nil)
        progress.sent()
        #expect(progress.upcoming == nil)
        progress.concluded(1, isTaken ? .taken : .denied(denied))
        #expect(progress.upcoming == (isTaken ? 2 : nil))
        #expect(progress.result == (isTaken ? nil : .init(settled: 0, dead: [], failure: denied)))
    }

    @Test
    func `A denied message is a failure when none behind it is taken; what carries no record tells nothing`() {
        var progress = sent(4)
        progress.concluded(0, .taken)
        progress.concluded(1, .denied(denied))
        progress.concluded(3, .immaterial)
        #expect(progress.result == nil)
        progress.concluded(2, .denied(denied))
        #expect(progress.result == .init(settled: 1, dead: [], failure: denied))
    }
}

@Suite("The window of messages in flight")
struct PendingMessagesTests {
    @Test
    func `It holds no more than its limit, and gives room back with each acknowledgement`() {
        var window = PendingMessages(limit: 2)
        window.sent(1, of: .delivery(1, message: 0), at: .seconds(1))
        #expect(window.hasRoom)
        window.sent(2, of: .control("presence"), at: .seconds(2))
        #expect(!window.hasRoom)
        #expect(window.oldest == .seconds(1))
        #expect(window.acknowledged(1) == .delivery(1, message: 0))
        #expect(window.hasRoom)
        #expect(window.oldest == .seconds(2))
    }

    @Test
    func `An acknowledgement of nothing in flight is nobody's`() {
        var window = PendingMessages(limit: 2)
        window.sent(7, of: .control("presence"), at: .zero)
        #expect(window.acknowledged(8) == nil)
        #expect(window.acknowledged(7) == .control("presence"))
        #expect(window.acknowledged(7) == nil)
    }

    @Test
    func `A message that is never acknowledged keeps its packet identifier from coming round`() {
        var window = PendingMessages(limit: 20)
        window.sent(1, of: .control("presence"), at: .zero)
        var sent = 1
        while window.hasRoom {
            sent += 1
            let packet = Int32((sent - 1) % 65_535 + 1)
            window.sent(packet, of: .control("presence"), at: .zero)
            _ = window.acknowledged(packet)
        }
        #expect(sent == 60_000)
        #expect(window.acknowledged(1) == .control("presence"))
        #expect(window.hasRoom)
    }
}

@Suite("The waits between attempts")
struct ReconnectionTests {
    private func waits(_ kinds: [MQTTFailure.Kind], settling: Set<Int> = []) -> [Duration] {
        var generator = SystemRandomNumberGenerator()
        var reconnection = ConnectBackoff(Backoff(maximum: .seconds(60)))
        return kinds.enumerated().map { index, kind in
            if settling.contains(index) { reconnection.settled() }
            return reconnection.failed(kind, using: &generator)
        }
    }

    @Test
    func `They grow up to the limit, for ever`() {
        let expected = [1, 3, 7, 15, 31, 60, 60, 60].map { Duration.seconds($0) }
        #expect(waits(Array(repeating: .unreachable, count: 8)) == expected)
    }

    @Test
    func `A connection that settled something makes them begin again; one that was only accepted does not`() {
        #expect(
            waits([.unreachable, .connectionLost, .connectionLost], settling: [2]) == [
                .seconds(1), .seconds(3), .seconds(1),
            ])
    }

    @Test
    func `Two clients of one name do not throw each other out in a circle`() {
        #expect(
            waits([.takenOver, .takenOver, .takenOver], settling: [0, 1, 2]) == [.seconds(1), .seconds(3), .seconds(7)])
    }
}

@Suite("The size of a PUBLISH packet")
struct PacketSizeTests {
    /// Worked out by hand after MQTT 5 section 3.3: 1 type, the length's bytes, 2 + topic, 2 identifier, properties, payload.
    @Test(
        arguments: [
            // 1 + 1 + (2 + 3) + 2 + 1 + 4
            (MQTTMessage(topic: "a/b", payload: [1, 2, 3, 4]), .v5, 1, 14),
            // no identifier, no properties: 1 + 1 + (2 + 3) + 4
            (MQTTMessage(topic: "a/b", payload: [1, 2, 3, 4]), .v311, 0, 11),
            // content type 3 + 4, user property 5 + 1 + 2: 1 + 1 + 5 + 2 + (1 + 15) + 0
            (
                MQTTMessage(topic: "a/b", payload: [], contentType: "text", userProperties: [.init("k", "vv")]), .v5, 1,
                25
            ),
            // 128 bytes of rest take a length of two bytes: 1 + 2 + 5 + 2 + 1 + 120
            (MQTTMessage(topic: "a/b", payload: [UInt8](repeating: 0, count: 120)), .v5, 1, 131),
        ] as [(MQTTMessage, MQTTSink.Configuration.ProtocolVersion, Int, Int)])
    func `agrees with the standard`(
        _ message: MQTTMessage, _ version: MQTTSink.Configuration.ProtocolVersion, _ quality: Int, _ expected: Int
    ) {
        #expect(message.packetSize(version: version, qualityOfService: quality) == expected)
    }

    @Test
    func `counts the correlation data of a reply`() {
        var message = MQTTMessage(topic: "a/b", payload: [])
        message.correlation = [1, 2, 3]
        // Correlation data 3 + 3: 1 + 1 + 5 + 2 + (1 + 6) + 0.
        #expect(message.packetSize(version: .v5, qualityOfService: 1) == 16)
    }
}
