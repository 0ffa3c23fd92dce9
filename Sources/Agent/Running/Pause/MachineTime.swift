package import TrackEngine

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What the machine's clocks say at one moment.
package struct MachineTime: Sendable, Hashable {
    /// The time of day, which may be wrong or never have been set.
    package var wall: Timestamp
    /// How long the machine has run since it was started, asleep or awake.
    package var uptime: Duration
    /// Which start that was; empty where the system does not tell.
    package var boot: String

    /// Clocks that show this.
    package init(wall: Timestamp, uptime: Duration, boot: String) {
        self.wall = wall
        self.uptime = uptime
        self.boot = boot
    }

    /// The present moment.
    package static func now() -> MachineTime {
        var time = timespec()
        #if canImport(Darwin)
            clock_gettime(CLOCK_MONOTONIC, &time)
        #else
            clock_gettime(CLOCK_BOOTTIME, &time)
        #endif
        let uptime = Duration.seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
        return MachineTime(wall: .now(), uptime: uptime, boot: currentBoot)
    }

    private static let currentBoot: String = {
        // Where it cannot be read, each look counts as after another start: then the wall clock decides.
        guard let file = try? SmallFile.read("/proc/sys/kernel/random/boot_id", limit: 64) else { return "" }
        return String(decoding: file.bytes.prefix { $0 > 0x20 }, as: UTF8.self)
    }()
}
