import Foundation
import Synchronization
import TestSupport

/// A server that speaks just enough of gpsd's protocol for a test, and misbehaves when it is told to.
///
/// One client at a time. A thread accepts, reads requests and answers them by the script; what else is to be said, the
/// test says with ``send(_:)``.
final class FakeGPSD: Sendable {
    /// How the server behaves by itself.
    struct Script: Sendable {
        /// Sent to each client at once; gpsd sends VERSION.
        var greeting = Line.version
        /// Sent for each request to watch.
        var watchAnswer = Line.devices(["/dev/gps0"]) + Line.watch
        /// Sent while a client watches, some milliseconds apart; the number counts from 0 for each request to watch.
        var stream: (@Sendable (Int) -> String)?
        /// Whether it closes the connection to a client that stops watching.
        var hangsUpAtUnwatch = false
    }

    private struct State {
        var client: Int32 = -1
        var connections = 0
        var requests: [String] = []
        var streamed: Int?
        var isStopping = false

        mutating func dropClient() {
            if client >= 0 { close(client) }
            client = -1
            streamed = nil
        }
    }

    var port: UInt16 { UInt16(reserved.number) }
    private let reserved: ReservedPort
    private let script: Script
    private let state = Mutex(State())

    /// - Parameter port: where it listens; by default on a port of its own.
    init(_ script: Script = Script(), port: ReservedPort? = nil) throws {
        self.script = script
        reserved = try port ?? ReservedPort()
        let listener = try LoopbackSocket.listen(at: .ipv4(reserved.number), backlog: 4)
        Thread.detachNewThread { [self] in
            serve(listener)
            close(listener)
        }
    }

    /// How many clients have come so far.
    var connections: Int { state.withLock { $0.connections } }

    /// Every request so far, without its line end.
    var requests: [String] { state.withLock { $0.requests } }

    /// Says something to the client, as it stands.
    func send(_ text: String) {
        state.withLock { state in
            let bytes = Array(text.utf8)
            _ = Glibc.send(state.client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        }
    }

    /// Closes the connection to the client.
    func disconnect() {
        state.withLock { $0.dropClient() }
    }

    /// Ends the server: the client is dropped, and nobody listens any more.
    func stop() {
        state.withLock { $0.isStopping = true }
    }

    private func serve(_ listener: Int32) {
        while !state.withLock({ $0.isStopping }) {
            var polled = [
                pollfd(fd: listener, events: Int16(POLLIN), revents: 0),
                pollfd(fd: state.withLock { $0.client }, events: Int16(POLLIN), revents: 0),
            ]
            poll(&polled, 2, 5)
            if polled[1].revents != 0 { readRequests() }
            if polled[0].revents != 0 { acceptClient(listener) }
            stream()
        }
        disconnect()
    }

    private func acceptClient(_ listener: Int32) {
        let client = accept(listener, nil, nil)
        state.withLock { state in
            state.dropClient()
            state.client = client
            state.connections += 1
        }
        send(script.greeting)
    }

    private func readRequests() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        // Under the lock, because a test may disconnect: the number would be another's then.
        let count = state.withLock { recv($0.client, &buffer, buffer.count, Int32(MSG_DONTWAIT)) }
        guard count > 0 else { return disconnect() }
        for line in String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n") {
            let isWatch = line.contains("\"enable\":true")
            state.withLock { state in
                state.requests.append(String(line))
                state.streamed = isWatch ? 0 : nil
            }
            if isWatch { send(script.watchAnswer) } else if script.hangsUpAtUnwatch { disconnect() }
        }
    }

    private func stream() {
        guard let stream = script.stream else { return }
        let number = state.withLock { state -> Int? in
            guard let number = state.streamed, state.client >= 0 else { return nil }
            state.streamed = number + 1
            return number
        }
        if let number { send(stream(number)) }
    }
}
