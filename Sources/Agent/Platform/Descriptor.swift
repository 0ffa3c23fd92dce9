import Glibc

/// A file descriptor that is closed when nobody holds it any more.
package final class Descriptor: Sendable {
    package let raw: Int32

    /// Takes a descriptor over and makes it close on exec.
    package init(owning raw: Int32) {
        self.raw = raw
        _ = fcntl(raw, F_SETFD, FD_CLOEXEC)
    }

    deinit { close(raw) }

    /// Makes reads and writes answer at once.
    package func makeNonBlocking() {
        _ = fcntl(raw, F_SETFL, fcntl(raw, F_GETFL) | O_NONBLOCK)
    }

    /// Both ends of a pipe that never blocks: first the one to read from.
    package static func pipe() throws(SystemError) -> (reading: Descriptor, writing: Descriptor) {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { throw SystemError("cannot make a pipe") }
        let pair = (Descriptor(owning: ends[0]), Descriptor(owning: ends[1]))
        pair.0.makeNonBlocking()
        pair.1.makeNonBlocking()
        return pair
    }
}

/// What a read or write that never blocks came to.
enum Transfer {
    /// So many bytes; 0 from a read is the end.
    case bytes(Int)
    /// Nothing can be moved at the moment.
    case wouldBlock
    /// The other side is gone, or the descriptor is of no use.
    case failed(code: Int32)

    init(_ result: Int, code: Int32) {
        if result >= 0 {
            self = .bytes(result)
        } else if code == EAGAIN || code == EWOULDBLOCK || code == EINTR {
            self = .wouldBlock
        } else {
            self = .failed(code: code)
        }
    }
}
