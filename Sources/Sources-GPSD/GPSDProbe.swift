internal import Glibc
internal import TrackEngine

/// Finds out whether gpsd runs on this machine, for an agent that was not told where its fixes come from.
package enum GPSDProbe {
    /// How gpsd greets each client (gpsd_json(5), VERSION).
    private static let greeting = Array(#"{"class":"VERSION""#.utf8)

    /// Whether a port of 127.0.0.1 greets like gpsd, within a second for each of connecting and reading.
    package static func isPresent(port: UInt16) async -> Bool {
        await withCheckedContinuation { continuation in
            do throws(SystemError) {
                try OSThread.start { continuation.resume(returning: greets(port)) }
            } catch {
                continuation.resume(returning: false)
            }
        }
    }

    /// Blocks the calling thread, for two seconds at most.
    private static func greets(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var second = timeval(tv_sec: 1, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &second, socklen_t(MemoryLayout<timeval>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { return false }
        var bytes = [UInt8](repeating: 0, count: greeting.count)
        return recv(descriptor, &bytes, bytes.count, Int32(MSG_WAITALL)) == bytes.count && bytes == greeting
    }
}
