import TestSupport
import Testing
import TrackEngine
import TrackEngineMQTT
import TrackEngineTestKit

/// Conversations of a broker, damaged at random places, against the whole client with libmosquitto in it.
@Suite("Damaged conversations")
struct ConversationFuzzTests {
    /// What a broker says in a good session: CONNACK, SUBACK, a command, a birth, PUBACKs, PINGRESP, DISCONNECT.
    private static let packets: [[UInt8]] = [
        [0x20, 14, 0, 0, 11, 0x21, 0, 20, 0x27, 0, 1, 0, 0, 0x25, 1, 0x24],
        [0x20, 13, 0, 0, 10, 0x21, 0, 20, 0x27, 0, 1, 0, 0, 0x25, 1],
        [0x20, 3, 0, 0, 0],
        [0x90, 12, 0, 1, 8, 0x1F, 0, 5, 0x68, 0x65, 0x6C, 0x6C, 0x6F, 1],
        [0x32, 19, 0, 3, 0x63, 0x6D, 0x64, 0, 9, 9, 0x08, 0, 1, 0x72, 0x09, 0, 2, 1, 2, 0x78, 0x79],
        [0x30, 12, 0, 1, 0x61, 7, 0x26, 0, 1, 0x6B, 0, 1, 0x76, 0x78],
        [0x40, 2, 0, 1], [0x40, 3, 0, 2, 0x87], [0x40, 4, 0, 1, 0, 0],
        [0x40, 10, 0, 3, 0x99, 6, 0x1F, 0, 3, 0x62, 0x61, 0x64],
        [0xD0, 0], [0xE0, 2, 0x8B, 0], [0xE0, 0],
    ]

    private static func conversation(_ generator: inout SplitMix) -> [UInt8] {
        var bytes: [UInt8] = generator.below(4) == 0 ? [] : packets[1 + generator.below(2)]
        for _ in 0..<generator.below(6) { bytes += packets[generator.below(packets.count)] }
        for _ in 0..<generator.below(4) where !bytes.isEmpty {
            let place = generator.below(bytes.count)
            switch generator.below(5) {
            case 0: bytes[place] = UInt8(generator.below(256))
            case 1: bytes[place] = [0, 0x7F, 0x80, 0xFF][generator.below(4)]
            case 2: bytes.insert(UInt8(generator.below(256)), at: place)
            case 3: bytes.remove(at: place)
            default: bytes.removeSubrange(place...)
            }
        }
        return bytes
    }

    @Test(arguments: 0..<4)
    func `The client outlives each of them, and says what was wrong`(_ seed: Int) async throws {
        let batch = RecordBatch(records: SampleRecords.records(count: 3))
        let broker = try FakeBroker(.silent)
        defer { broker.stop() }
        var generator = SplitMix(state: UInt64(seed))
        for round in 0..<(TestEnvironment.isOptimised ? 75 : 25) {
            broker.become(.recites(Self.conversation(&generator)))
            let sink = try Samples.sink(port: broker.port) {
                $0.backoff = Backoff(maximum: .seconds(60))
                $0.commands = .init(topic: "cmd", allowed: [.status])
                $0.protocolVersion = round % 5 == 4 ? .v311 : .v5
            }
            do throws(DeliveryError) { _ = try await sink.deliver(batch) } catch { #expect(!error.reason.isEmpty) }
            await sink.close()
        }
        broker.become(.takes { _ in 0 })
        let sink = try Samples.sink(port: broker.port)
        #expect(try await sink.deliver(batch) == .all(of: batch))
        await sink.close()
    }
}

/// Numbers that are the same in each run (SplitMix64).
private struct SplitMix {
    var state: UInt64

    mutating func below(_ limit: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ mixed >> 31) % UInt64(limit))
    }
}
