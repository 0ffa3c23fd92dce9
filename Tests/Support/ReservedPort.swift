import Foundation

/// A port of the loopback interface that no other test gets while this lives, in this process or another.
///
/// The number lies below the system's ephemeral ports, so that no outgoing connection takes it either: it can be given
/// up and bound again. Numbers are handed out in turn, so that a client of an ended test does not meet the server of
/// another one.
package final class ReservedPort: Sendable {
    package let number: Int
    private let descriptor: Int32

    /// Reserves the next free port.
    ///
    /// A file shared by all test processes of the user holds one lock for each port, and the port that was handed out
    /// last. Its locks belong to the open file (fcntl(2), "Open file description locks"), so they end with a process
    /// that is killed.
    package convenience init() throws {
        try self.init(among: Self.numbers, registry: NSTemporaryDirectory() + "track-engine-ports-\(getuid())")
    }

    package init(among numbers: ClosedRange<Int>, registry path: String) throws {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw ReservationError(description: "cannot open \(path)") }
        guard Self.lock(descriptor, at: 0, as: F_WRLCK, waits: true) else {
            close(descriptor)
            throw ReservationError(description: "cannot lock \(path)")
        }
        var last = Int32(numbers.lowerBound)
        _ = pread(descriptor, &last, MemoryLayout.size(ofValue: last), 0)  // a new file has none: begin with the first
        var found: Int?
        for step in 1...numbers.count {
            let candidate = numbers.lowerBound + abs(Int(last) - numbers.lowerBound + step) % numbers.count
            guard Self.lock(descriptor, at: candidate, as: F_WRLCK, waits: false) else { continue }
            if Self.isFree(candidate) {
                found = candidate
                break
            }
            _ = Self.lock(descriptor, at: candidate, as: F_UNLCK, waits: false)
        }
        var next = Int32(found ?? numbers.lowerBound)
        _ = pwrite(descriptor, &next, MemoryLayout.size(ofValue: next), 0)  // lost, the search takes longer, no more
        _ = Self.lock(descriptor, at: 0, as: F_UNLCK, waits: false)
        guard let found else {
            close(descriptor)
            throw ReservationError(description: "no port from \(numbers.lowerBound) to \(numbers.upperBound) is free")
        }
        number = found
    }

    deinit { close(descriptor) }

    /// The ports below those that the system gives to outgoing connections (ip(7), ip_local_port_range).
    private static let numbers: ClosedRange<Int> = {
        // Unreadable: Linux's default.
        let range = (try? String(contentsOfFile: "/proc/sys/net/ipv4/ip_local_port_range", encoding: .utf8)) ?? ""
        let first = range.split(whereSeparator: \.isWhitespace).first.flatMap { Int($0) } ?? 32_768
        let end = max(first, 12_000) - 1
        return max(end - 11_999, 10_000)...end
    }()

    /// Locks or unlocks one byte of the file.
    private static func lock(_ descriptor: Int32, at place: Int, as kind: Int32, waits: Bool) -> Bool {
        var lock = flock()
        lock.l_type = Int16(kind)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = off_t(place)
        lock.l_len = 1
        var result: Int32
        repeat {
            result = fcntl(descriptor, waits ? openFileWaitingLock : openFileLock, &lock)
        } while result < 0 && errno == EINTR
        return result == 0
    }

    /// F_OFD_SETLK and F_OFD_SETLKW of <fcntl.h>.
    private static let (openFileLock, openFileWaitingLock): (Int32, Int32) = (37, 38)

    /// Whether nobody uses the port: for TCP, which may bind it again at once, and for UDP.
    private static func isFree(_ number: Int) -> Bool {
        [SOCK_STREAM, SOCK_DGRAM].allSatisfy { kind in
            let probe = socket(AF_INET, Int32(kind.rawValue), 0)
            defer { close(probe) }
            return (try? LoopbackSocket.bind(probe, to: .ipv4(number))) != nil  // in use: not free
        }
    }
}

/// Why no port could be had.
package struct ReservationError: Error, CustomStringConvertible {
    package let description: String
}
