import Foundation
import TestSupport
import Testing
import TrackEngineTestKit

@Suite("The listener of the tests")
struct LoopbackListenerTests {
    @Test
    func `Stopped once more, it leaves alone whoever has got its descriptor since`() async throws {
        let port = try ReservedPort()
        let ports = try (0..<32).map { _ in try ReservedPort() }
        let listener = try LoopbackListener(at: .ipv4(port.number)) { _ in }
        listener.stop()
        await eventually("it has ended") { listener.hasEnded }
        #expect(!LoopbackSocket.accepts(at: .ipv4(port.number)))
        // Descriptors are handed out from the lowest that is free, so one of these has its number.
        let others = try ports.map { try LoopbackListener(at: .ipv4($0.number)) { _ in } }
        listener.stop()
        #expect(ports.allSatisfy { LoopbackSocket.accepts(at: .ipv4($0.number)) })
        for other in others { other.stop() }
    }
}
