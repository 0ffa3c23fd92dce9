import Glibc

/// Time since the machine started, sleep included: a connection that slept through its keep-alive is noticed as dead.
enum BootClock {
    /// The moment, as the time since the start.
    static var now: Duration {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
