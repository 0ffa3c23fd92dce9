package import Glibc

/// A file descriptor that is closed when its last reference is released.
package final class Descriptor: Sendable {
    package let raw: Int32

    /// Takes ownership of a descriptor and sets close-on-exec.
    package init(owning raw: Int32) {
        self.raw = raw
        _ = fcntl(raw, F_SETFD, FD_CLOEXEC)
    }

    deinit { close(raw) }

    /// Opens a file, relative to an open directory if one is given; `nil` and sets `errno` if that fails. Close-on-exec
    /// is always set.
    package static func open(
        _ path: String, _ flags: Int32, mode: mode_t = 0o600, in directory: Descriptor? = nil
    ) -> Descriptor? {
        let raw = openat(directory?.raw ?? AT_FDCWD, path, flags | O_CLOEXEC, mode)
        return raw >= 0 ? Descriptor(owning: raw) : nil
    }

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
