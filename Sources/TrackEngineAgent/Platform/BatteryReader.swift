package import TrackEngine

/// The machine's battery, as Linux shows it below `/sys/class/power_supply`, read at most every 30 seconds.
///
/// Reading sysfs may take milliseconds when a driver queries its chip. It therefore happens on a separate thread and
/// never while a record is made: ``current`` is the last reading.
package final class BatteryReader: Sendable {
    private let directory: String
    private let reading: SystemMutex<HostStatus?>
    private let listener = SystemMutex<(@Sendable () -> Void)?>(nil)

    /// The interval between readings.
    package static let interval = Duration.seconds(30)

    /// A gauge without a reading.
    package init(directory: String = "/sys/class/power_supply") {
        self.directory = directory
        reading = SystemMutex(nil)
    }

    /// The last reading; `nil` without a battery.
    package var current: HostStatus? { reading.withLock { $0 } }

    /// Sets the function to call when a reading differs from the last one.
    func onChange(_ body: @escaping @Sendable () -> Void) { listener.withLock { $0 = body } }

    /// Reads once.
    package func look() async {
        // If no thread can be started, records keep the last reading.
        guard let status = try? await SystemThread.run({ [directory] in Self.read(directory) }) else { return }
        let isNew = reading.withLock { last in
            defer { last = status }
            return last != status
        }
        if isNew { listener.withLock { $0 }?() }
    }

    /// Reads repeatedly until cancelled; only once if the machine has no battery.
    package func run() async {
        while !Task.isCancelled {
            await look()
            guard current != nil else { return }
            do { try await Task.sleep(for: Self.interval, tolerance: .seconds(10)) } catch { return }
        }
    }

    /// The status of the first battery in a directory; `nil` without a battery.
    package static func read(_ directory: String) -> HostStatus? {
        // A machine without the directory has no battery.
        guard let names = try? DirectoryReader.names(in: directory, atMost: 64) else { return nil }
        let supplies = names.map { "\(directory)/\($0)" }
        guard let battery = supplies.first(where: isSystemBattery) else { return nil }
        let level = line("\(battery)/capacity").flatMap { Double($0) }.map { $0 / 100 }
        return HostStatus(batteryLevel: level, batteryState: state(line("\(battery)/status")))
    }

    /// Whether it is the machine's own battery. A mouse has a battery, too, with scope `Device`.
    private static func isSystemBattery(_ supply: String) -> Bool {
        line("\(supply)/type") == "Battery" && line("\(supply)/scope") != "Device"
    }

    private static func state(_ word: String?) -> HostStatus.BatteryState {
        switch word {
        case "Charging": .charging
        case "Discharging": .unplugged
        case "Full", "Not charging": .full
        default: .unknown
        }
    }

    private static func line(_ path: String) -> String? {
        // An attribute that cannot be read is missing.
        guard let bytes = (try? FileContent.read(path, limit: 4096, .followsLinks))?.bytes, !bytes.isEmpty else {
            return nil
        }
        return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}
