import Glibc
import TestSupport
import Testing
import TrackEngineTestKit

@Suite("The broker of these tests")
struct FakeBrokerTests {
    @Test(
        arguments: [
            // The start of a TLS client's hello; a length of 256 MiB; a length that never ends.
            [0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xFC], [0x30, 0xFF, 0xFF, 0xFF, 0x7F],
            [0x30, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
        ] as [[UInt8]])
    func `hangs up on bytes that are no MQTT packet, and takes no memory at their word`(_ bytes: [UInt8]) async throws {
        let broker = try FakeBroker(.silent)
        defer { broker.stop() }
        let client = try #require(LoopbackSocket.connect(to: .ipv4(broker.port)))
        defer { close(client) }
        _ = send(client, bytes + [UInt8](repeating: 0xFF, count: 16), bytes.count + 16, Int32(MSG_NOSIGNAL))
        await eventually("the broker has hung up") {
            broker.connections == 1 && broker.open == 0
        }
        #expect(broker.connections == 1 && broker.open == 0)
    }
}
