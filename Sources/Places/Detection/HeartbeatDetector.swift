public import TrackEngine

/// Tells at intervals that the object is still where it was, so that a receiver can tell rest from silence.
///
/// A heartbeat falls due when nothing has moved for the interval, and then after each further one: it has the newest position at
/// the time at which it falls due, without what was measured at the old time only. It is no movement: neither odometer nor
/// trips know of it.
public struct HeartbeatDetector: EventDetector {
    /// How long the interval may be.
    package static let intervals: ClosedRange<Double> = 10...604_800

    /// The time between two heartbeats.
    public let interval: Duration
    /// The newest fix, and when the next heartbeat is due.
    private var rest: Rest?

    private struct Rest: Sendable, Hashable {
        var coordinate: Coordinate
        var accuracy: Double?
        var altitude: Double?
        var due: Timestamp
    }

    /// A detector that has seen nothing.
    ///
    /// - Parameter interval: 10 s to 7 days.
    /// - Throws: `ConfigurationError` for an interval out of its bounds.
    public init(interval: Duration) throws(ConfigurationError) {
        var check = ConfigurationCheck()
        check.seconds("heartbeat", interval, within: Self.intervals)
        try check.finish()
        self.interval = interval
    }

    /// Looks at a fix: one of a moving object begins the interval anew, any other one only says where the object is.
    public mutating func observe(_ observed: ObservedFix, report: (DetectedEvent) -> Void) {
        let fix = observed.fix
        pass(to: fix.time, report: report)
        let next = fix.time.advanced(by: interval)
        // A due time in the far future was told by a clock that went wrong.
        let due = observed.isMoving ? next : min(rest?.due ?? next, next)
        rest = Rest(
            coordinate: fix.coordinate, accuracy: fix.horizontalAccuracy, altitude: fix.altitude, due: due)
    }

    /// Reports what is due; after a long gap in a recording one heartbeat and not hundreds.
    public mutating func pass(to time: Timestamp, report: (DetectedEvent) -> Void) {
        guard let rest, rest.due <= time else { return }
        let fix = Fix(
            time: rest.due, coordinate: rest.coordinate, altitude: rest.altitude, horizontalAccuracy: rest.accuracy)
        self.rest?.due = time.advanced(by: interval)
        report(DetectedEvent(.heartbeat, at: fix))
    }

    /// Nobody knows that it is still there: heartbeats go on with the next fix.
    public mutating func conceal() { rest = nil }

    /// When the next heartbeat is due.
    public var deadline: Timestamp? { rest?.due }

    /// The newest place and when the next one is due.
    public var state: [UInt8] {
        var writer = StateWriter()
        writer.write(isPresent: rest != nil)
        if let rest {
            writer.write(rest.coordinate)
            writer.write(rest.accuracy ?? .nan)
            writer.write(rest.altitude ?? .nan)
            writer.write(rest.due)
        }
        return writer.bytes
    }

    /// Goes on from a kept state.
    public mutating func resume(from state: [UInt8]) -> Bool {
        var reader = StateReader(state)
        guard let isPresent = reader.isPresent() else { return false }
        guard isPresent else { return reader.isAtEnd }
        guard let coordinate = reader.coordinate(), let accuracy = reader.double(), let altitude = reader.double(),
            let due = reader.time(), reader.isAtEnd, coordinate.isValid
        else { return false }
        rest = Rest(
            coordinate: coordinate, accuracy: accuracy.isNaN ? nil : accuracy,
            altitude: altitude.isNaN ? nil : altitude, due: due)
        return true
    }
}
