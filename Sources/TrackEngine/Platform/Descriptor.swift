import Glibc

/// A file descriptor that is closed when its last reference is released.
package final class Descriptor: Sendable {
    package let raw: Int32

    /// Takes ownership of a descriptor and sets close-on-exec.
    package init(owning raw: Int32) {
        self.raw = raw
        _ = fcntl(raw, F_SETFD, FD_CLOEXEC)
    }

    deinit { close(raw) }

    /// Makes reads and writes return at once.
    package func makeNonBlocking() {
        _ = fcntl(raw, F_SETFL, fcntl(raw, F_GETFL) | O_NONBLOCK)
    }

    /// Creates a non-blocking pipe.
    package static func pipe() throws(SystemError) -> (reading: Descriptor, writing: Descriptor) {
        var ends: [Int32] = [-1, -1]
        guard makePipe(&ends) == 0 else { throw SystemError("cannot make a pipe") }
        let pair = (reading: Descriptor(owning: ends[0]), writing: Descriptor(owning: ends[1]))
        pair.reading.makeNonBlocking()
        pair.writing.makeNonBlocking()
        return pair
    }
}

/// `pipe(2)`, which inside ``Descriptor`` is hidden by the function of the same name.
private func makePipe(_ ends: inout [Int32]) -> Int32 { pipe(&ends) }
