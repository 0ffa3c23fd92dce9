/// When a simulated vehicle parks and for how long.
public struct ParkingBehaviour: Sendable, Hashable {
    /// How long it drives before it looks for a parking place, as 1 s to 24 h; `nil`: it never parks.
    public var afterDriving: ClosedRange<Duration>?
    /// How long it stays there, as 1 s to 24 h.
    public var stay: ClosedRange<Duration>

    /// Describes a habit; each time, the values are drawn from the ranges.
    public init(afterDriving: ClosedRange<Duration>?, stay: ClosedRange<Duration>) {
        self.afterDriving = afterDriving
        self.stay = stay
    }

    /// Parks for 2 to 5 minutes after every 10 to 20 minutes on the road: the default.
    public static let typical = ParkingBehaviour(
        afterDriving: .seconds(600) ... .seconds(1_200), stay: .seconds(120) ... .seconds(300))

    /// Drives on for ever.
    public static let never = ParkingBehaviour(afterDriving: nil, stay: .seconds(120) ... .seconds(300))
}

extension ParkingBehaviour {
    var drivingSeconds: ClosedRange<Double>? { afterDriving?.inSeconds }
    var seconds: ClosedRange<Double> { stay.inSeconds }
}
