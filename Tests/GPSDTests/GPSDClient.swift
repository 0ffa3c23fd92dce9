import Foundation
import TestSupport
import Testing
import TrackEngineTestKit

/// A client of a real gpsd that keeps all it hears.
final class GPSDClient {
    private let descriptor: Int32
    private(set) var received: [UInt8] = []

    init(port: Int) throws {
        descriptor = try #require(LoopbackSocket.connect(to: .ipv4(port)), "gpsd takes no client")
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    deinit { close(descriptor) }

    /// Watches while a receiver's recorded output is fed, until gpsd has said all that it has to say about it.
    func watch(_ daemon: GPSDaemon, playing output: [UInt8]) async throws {
        send("?WATCH={\"enable\":true,\"json\":true};\n")
        await eventually("the answer to WATCH") { self.hasHeard("\"WATCH\"") }
        for start in stride(from: 0, to: output.count, by: 512) {
            daemon.feed(bytes: Array(output[start..<min(output.count, start + 512)]))
            await eventually("gpsd takes the input") {
                self.receive()
                return daemon.hasTakenInput
            }
        }
        // What gpsd has read it has reported before it looks at its clients again.
        let end = received.count
        send("?VERSION;\n")
        await eventually("the last answer") { self.hasHeard("\"VERSION\"", from: end) }
    }

    private func send(_ request: String) {
        let bytes = Array(request.utf8)
        _ = write(descriptor, bytes, bytes.count)
    }

    private func hasHeard(_ word: String, from start: Int = 0) -> Bool {
        receive()
        return String(decoding: received[start...], as: UTF8.self).contains(word)
    }

    private func receive() {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(descriptor, &buffer, buffer.count), count > 0 { received += buffer[..<count] }
    }
}
