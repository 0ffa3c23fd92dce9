import CMosquitto
import Glibc

/// An event descriptor that wakes a thread out of `poll`. Whoever may still ring it keeps it alive.
final class Bell: Sendable {
    /// The descriptor to poll for reading; -1 where the system had none left, which `poll` passes over.
    let descriptor: Int32

    init() {
        descriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Wakes the thread, or lets its next wait return at once.
    func ring() {
        var one: UInt64 = 1
        _ = write(descriptor, &one, 8)  // fails only when it rings already
    }

    /// Makes the descriptor unready until the next ring.
    func silence() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)  // fails only when it did not ring
    }
}
