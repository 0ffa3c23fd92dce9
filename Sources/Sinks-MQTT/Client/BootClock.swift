import Glibc

/// Time since the machine started, including sleep: after a sleep longer than the keep-alive, the connection is
/// known to be dead.
enum BootClock {
    /// The current time since the start.
    static var now: Duration {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
