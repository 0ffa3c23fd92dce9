/// The status of the recording machine, sampled when a record is made.
public struct HostStatus: Sendable, Hashable {
    /// The states of the battery, with Overland's names.
    public enum BatteryState: UInt8, Sendable, Hashable, CaseIterable, BitwiseCopyable {
        /// No battery, or no information about it.
        case unknown
        /// Discharging.
        case unplugged
        /// Charging.
        case charging
        /// Full and connected to mains.
        case full

        /// The name of this state in the Overland format.
        public var name: String {
            switch self {
            case .unknown: "unknown"
            case .unplugged: "unplugged"
            case .charging: "charging"
            case .full: "full"
            }
        }
    }

    /// Charge from 0 to 1; absent when there is no battery.
    public let batteryLevel: Double?
    /// The state of the battery.
    public let batteryState: BatteryState
    /// The connected wireless network; absent if there is none or it was not determined.
    public let wifi: WifiNetwork?

    /// Creates a status; a level outside 0 to 1 counts as unknown.
    public init(batteryLevel: Double?, batteryState: BatteryState, wifi: WifiNetwork? = nil) {
        self.batteryLevel = batteryLevel.flatMap { (0...1).contains($0) ? $0 : nil }
        self.batteryState = batteryState
        self.wifi = wifi
    }

    /// Whether the status includes the battery, even one of unknown state: a status with only a network does not.
    public var tellsOfBattery: Bool { batteryLevel != nil || batteryState != .unknown || wifi == nil }

    /// The same without the network, which reveals the machine's location; `nil` if the rest is empty.
    var withoutNetwork: HostStatus? {
        tellsOfBattery ? HostStatus(batteryLevel: batteryLevel, batteryState: batteryState) : nil
    }
}
