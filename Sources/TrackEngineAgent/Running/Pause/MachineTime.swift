package import TrackEngine

/// The readings of the machine's clocks at one moment.
package struct MachineTime: Sendable, Hashable {
    /// The time of day, which may be wrong or never have been set.
    package var wall: Timestamp
    /// The time since the machine was started, including sleep.
    package var uptime: Duration
    /// The id of that start; empty if the system does not provide one.
    package var boot: String

    /// Makes a reading from its parts.
    package init(wall: Timestamp, uptime: Duration, boot: String) {
        self.wall = wall
        self.uptime = uptime
        self.boot = boot
    }

    /// The present moment.
    package static func now() -> MachineTime {
        MachineTime(wall: .now(), uptime: KernelClock.sinceBoot, boot: currentBoot)
    }

    private static let currentBoot: String = {
        // Without an id, each reading counts as one after another start; then the wall clock decides.
        guard let file = try? FileContent.read("/proc/sys/kernel/random/boot_id", limit: 64) else { return "" }
        return String(decoding: file.bytes.prefix { $0 > 0x20 }, as: UTF8.self)
    }()
}
