import Glibc
import TrackEngine

/// Reports the agent's state to systemd: the protocol of sd_notify(3), without libsystemd.
///
/// Outside systemd (no `NOTIFY_SOCKET`) it has no effect.
package struct SystemdReporter: Sendable {
    /// A message to systemd.
    package enum Message: Sendable, Hashable {
        /// Starting, or reloading, has finished.
        case ready
        /// The text that `systemctl status` shows.
        case status(String)
        /// The configuration is being read again, from this moment of the monotonic clock on.
        case reloading(monotonic: Duration)
        /// A stop is under way.
        case stopping
        /// The engine is alive.
        case watchdog

        fileprivate var text: String {
            switch self {
            case .ready: "READY=1"
            case .status(let text): "STATUS=" + text.replacing("\n", with: " ")
            case .reloading(let monotonic):
                "RELOADING=1\nMONOTONIC_USEC=\(monotonic.saturatedNanoseconds / 1000)"
            case .stopping: "STOPPING=1"
            case .watchdog: "WATCHDOG=1"
            }
        }
    }

    /// The interval of ``Message/watchdog``: half of the limit that systemd sets; absent if systemd does not watch
    /// this process.
    package let watchdogInterval: Duration?
    private let path: String?

    /// Reads `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`.
    package init(environment: [String: String], processID: Int32 = getpid()) {
        path = environment["NOTIFY_SOCKET"].flatMap { $0.hasPrefix("/") || $0.hasPrefix("@") ? $0 : nil }
        let isMeant = environment["WATCHDOG_PID"].map { $0 == "\(processID)" } ?? true
        let limit = environment["WATCHDOG_USEC"].flatMap { Int64($0) }
        watchdogInterval = isMeant ? limit.flatMap { $0 > 0 ? .microseconds($0 / 2) : nil } : nil
    }

    /// Sends messages in one datagram. A failure does not matter to the agent.
    package func send(_ messages: Message...) {
        guard let path, let (destination, length) = sockaddr_un.notifySocket(path) else { return }
        let raw = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard raw >= 0 else { return }
        let descriptor = Descriptor(owning: raw)
        descriptor.makeNonBlocking()
        let text = Array(messages.map(\.text).joined(separator: "\n").utf8)
        withUnsafePointer(to: destination) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                _ = sendto(descriptor.raw, text, text.count, Int32(MSG_NOSIGNAL), pointer, length)
            }
        }
    }

    /// The monotonic clock as systemd reads it.
    package static var monotonic: Duration { KernelClock.monotonic }
}

extension sockaddr_un {
    /// The address of `NOTIFY_SOCKET`: a path, or an abstract name after `@`, with its exact length.
    fileprivate static func notifySocket(_ path: String) -> (sockaddr_un, socklen_t)? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let isLong = path.utf8.count > UnixSocket.longestPath || path.isEmpty || path.utf8.contains(0)
        guard !isLong else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        if path.hasPrefix("@") { address.sun_path.0 = 0 }
        let header = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        return (address, socklen_t(header + path.utf8.count))
    }
}
