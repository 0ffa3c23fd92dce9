import Glibc

/// The kernel's clocks that count from the machine's start.
package enum KernelClock {
    /// The time since the start, including sleep (CLOCK_BOOTTIME).
    package static var sinceBoot: Duration { reading(CLOCK_BOOTTIME) }
    /// The time without sleep (CLOCK_MONOTONIC).
    package static var monotonic: Duration { reading(CLOCK_MONOTONIC) }

    /// Reads the two numbers of a `timespec` without its members: the optimising compiler sometimes looks for these in a
    /// module that cannot be imported.
    private static func reading(_ clock: clockid_t) -> Duration {
        var time = (seconds: 0, nanoseconds: 0)
        withUnsafeMutablePointer(to: &time) { pointer in
            pointer.withMemoryRebound(to: timespec.self, capacity: 1) { _ = clock_gettime(clock, $0) }
        }
        return .seconds(time.seconds) + .nanoseconds(time.nanoseconds)
    }
}
