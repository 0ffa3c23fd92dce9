import Glibc

/// A pipe that wakes a thread out of `poll(2)`. The pipe stays open as long as there is a reference that may wake the
/// thread.
///
/// A pipe and not an eventfd: Swift's Glibc module does not include eventfd(2), and a byte costs as little.
package final class WakePipe: Sendable {
    private let readEnd: Descriptor
    private let writeEnd: Descriptor

    /// - Throws: when the process or the system has no descriptors left.
    package init() throws(SystemError) {
        (readEnd, writeEnd) = try Descriptor.pipe()
    }

    /// The descriptor to poll for reading.
    package var descriptor: Int32 { readEnd.raw }

    /// Wakes the thread, or lets its next wait return at once.
    package func wake() {
        var byte: UInt8 = 1
        _ = write(writeEnd.raw, &byte, 1)  // a full pipe wakes the thread already
    }

    /// Waits until the thread is woken, and discards all wake-ups so far.
    package func wait() {
        var request = pollfd(fd: readEnd.raw, events: Int16(POLLIN), revents: 0)
        while poll(&request, 1, -1) < 0, errno == EINTR {}
        clear()
    }

    /// Discards all wake-ups so far: the descriptor is not ready until the next one.
    package func clear() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(readEnd.raw, &bytes, bytes.count) == bytes.count {}
    }
}

extension Duration {
    /// The time-out for poll(2) in milliseconds: rounded up, so that a deadline has passed when the wait for it ends;
    /// zero for a negative duration, at most 2,147,483,647 ms (24 days).
    package var pollTimeout: Int32 {
        let left = max(.zero, self).saturatedNanoseconds
        return Int32(clamping: left / 1_000_000 + (left % 1_000_000 == 0 ? 0 : 1))
    }
}
