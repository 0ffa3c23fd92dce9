#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension Timestamp {
    /// The host's wall clock, which may be wrong on a machine without a battery-backed clock.
    ///
    /// The engine never times anything with it: timers run on a monotonic `Clock`. It only stamps what a person reads
    /// and decides whether a fix's own time is believable.
    public static func now() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(secondsSince1970: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
    }
}
