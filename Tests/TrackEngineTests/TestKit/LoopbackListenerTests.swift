import Foundation
import TestSupport
import Testing
import TrackEngineTestKit

@Suite("The listener of the tests")
struct LoopbackListenerTests {
    @Test("Stopped once more, it leaves alone whoever has got its descriptor since")
    func stopsTwice() async throws {
        let port = try ReservedPort()
        let listener = try LoopbackListener(at: .ipv4(port.number)) { _ in }
        listener.stop()
        await eventually("nobody listens") { !LoopbackSocket.accepts(at: .ipv4(port.number)) }
        // Descriptors are handed out from the lowest that is free, so one of these has its number.
        let others = try (0..<64).map { _ in
            let port = try ReservedPort()
            return (port, try LoopbackListener(at: .ipv4(port.number)) { _ in })
        }
        listener.stop()
        #expect(others.allSatisfy { LoopbackSocket.accepts(at: .ipv4($0.0.number)) })
        for (_, other) in others { other.stop() }
    }
}
