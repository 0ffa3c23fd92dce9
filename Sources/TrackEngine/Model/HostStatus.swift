/// What the machine that records knows about itself, sampled when a record is made.
public struct HostStatus: Sendable, Hashable {
    /// How the battery is doing, in Overland's words.
    public enum BatteryState: UInt8, Sendable, Hashable, CaseIterable, BitwiseCopyable {
        /// No battery, or it says nothing.
        case unknown
        /// Running down.
        case unplugged
        /// Filling up.
        case charging
        /// Full and on mains.
        case full

        /// The word for this state in the Overland format.
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
    /// How the battery is doing.
    public let batteryState: BatteryState
    /// The wireless network to which it is connected; absent where there is none or nobody looked.
    public let wifi: WifiNetwork?

    /// Creates a status; a level that is not within 0 to 1 counts as unknown.
    public init(batteryLevel: Double?, batteryState: BatteryState, wifi: WifiNetwork? = nil) {
        self.batteryLevel = batteryLevel.flatMap { (0...1).contains($0) ? $0 : nil }
        self.batteryState = batteryState
        self.wifi = wifi
    }

    /// Whether it tells of a battery, be it that nothing is known of one: a status that knows a network alone does not.
    public var tellsOfBattery: Bool { batteryLevel != nil || batteryState != .unknown || wifi == nil }

    /// The same without the network, which tells where the machine is; `nil` where nothing is left.
    package var withoutNetwork: HostStatus? {
        tellsOfBattery ? HostStatus(batteryLevel: batteryLevel, batteryState: batteryState) : nil
    }
}
