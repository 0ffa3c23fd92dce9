import Foundation
import Synchronization

/// A real gpsd on ports of its own, which a test feeds line by line over UDP, stops and starts again.
///
/// Needs Debian's package `gpsd` only; a machine without it fails the test with a clear error.
package final class GPSDaemon: Sendable {
    /// Why there is no daemon.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Where clients connect, on 127.0.0.1.
    package var port: Int { clientPort.number }
    /// The name of the receiver in gpsd's reports.
    package var device: String { "udp://127.0.0.1:\(feedPort.number)" }

    private static let program = "/usr/sbin/gpsd"
    private let clientPort: ReservedPort
    private let feedPort: ReservedPort
    private let feeder: Int32
    private let process: Mutex<ChildProcess?>

    /// Starts gpsd and waits until it takes clients and input.
    package init() async throws {
        guard FileManager.default.isExecutableFile(atPath: Self.program) else {
            throw Failure(description: "\(Self.program) is missing: install Debian's package gpsd")
        }
        clientPort = try ReservedPort()
        feedPort = try ReservedPort()
        feeder = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        process = Mutex(nil)
        try await start()
    }

    deinit {
        close(feeder)
        process.withLock { $0?.killNow() }
    }

    /// Starts gpsd after ``stop()``, on the same ports.
    package func start() async throws {
        let started = try ChildProcess(Self.program, ["-N", "-n", "-b", "-S", "\(port)", device])
        process.withLock { $0 = started }
        try await started.ready { LoopbackSocket.accepts(at: .ipv4(port)) && listensForInput() }
    }

    /// Kills gpsd, as a crash would, and waits until it is gone.
    package func stop() {
        process.withLock { process in
            process?.killNow()
            process = nil
        }
    }

    /// ``stop()`` and ``start()``.
    package func restart() async throws {
        stop()
        try await start()
    }

    /// Sends one line of a receiver's output; CR and LF are added.
    package func feed(_ line: String) {
        feed(bytes: Array((line + "\r\n").utf8))
    }

    /// Sends a piece of a receiver's output as it is.
    package func feed(bytes: [UInt8]) {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        address.sin_port = in_port_t(feedPort.number).bigEndian
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                _ = sendto(feeder, bytes, bytes.count, 0, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// Whether gpsd has read all that was fed; what it cannot keep up with is lost, as with any UDP.
    package var hasTakenInput: Bool {
        // Columns: slot, local address, remote address, state, tx_queue:rx_queue …
        guard let entry = inputEntry(), entry.count > 4 else { return false }
        return entry[4].hasSuffix(":00000000")
    }

    /// gpsd opens its input a little later than its port; what is sent before is lost.
    private func listensForInput() -> Bool { inputEntry() != nil }

    /// The line of `/proc/net/udp` about gpsd's input, in columns.
    private func inputEntry() -> [Substring]? {
        // Unreadable is the same as "not yet": the caller's deadline reports it.
        guard let table = try? String(contentsOfFile: "/proc/net/udp", encoding: .utf8) else { return nil }
        let digits = String(feedPort.number, radix: 16, uppercase: true)
        let port = ":" + String(repeating: "0", count: 4 - digits.count) + digits
        return table.split(separator: "\n").map { $0.split(separator: " ") }
            .first { $0.count > 1 && $0[1].hasSuffix(port) }
    }
}
