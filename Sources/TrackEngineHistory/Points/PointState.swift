import TrackEngine

/// The states of a point, as bits of one number.
///
/// From the lowest: activity + 1 in three bits, whether it moves in two (0 unknown, 1 no, 2 yes), the battery's state
/// + 1 in three, the mode in two, simulated in one. Zero is unknown throughout.
struct PointState: Sendable, Hashable {
    let bits: Int64

    init(bits: Int64) { self.bits = bits }

    init(_ point: HistoryPoint) {
        var bits: Int64 = 0
        if let activity = point.fix.activity { bits |= Int64(activity.rawValue) + 1 }
        if let isMoving = point.isMoving { bits |= (isMoving ? 2 : 1) << 3 }
        if let host = point.host, host.tellsOfBattery { bits |= (Int64(host.batteryState.rawValue) + 1) << 5 }
        if let mode = point.fix.mode { bits |= Int64(mode.rawValue) << 8 }
        if point.fix.flags.contains(.simulated) { bits |= 1 << 10 }
        self.bits = bits
    }

    var activity: Activity? { value(at: 0, width: 3).flatMap { Activity(rawValue: $0 - 1) } }
    var isMoving: Bool? { value(at: 3, width: 2).map { $0 == 2 } }
    var batteryState: HostStatus.BatteryState? {
        value(at: 5, width: 3).flatMap { HostStatus.BatteryState(rawValue: $0 - 1) }
    }
    var mode: Fix.Mode? { value(at: 8, width: 2).flatMap(Fix.Mode.init) }
    var isSimulated: Bool { value(at: 10, width: 1) != nil }

    /// The number in some bits; `nil` for zero.
    private func value(at shift: Int64, width: Int64) -> UInt8? {
        let value = UInt8(truncatingIfNeeded: bits >> shift & (1 << width - 1))
        return value == 0 ? nil : value
    }
}
