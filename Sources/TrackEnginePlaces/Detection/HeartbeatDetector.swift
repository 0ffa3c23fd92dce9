public import TrackEngine

/// Reports at intervals that the object has not moved, so that a receiver can distinguish rest from silence.
///
/// A heartbeat is due when the object has not moved for the interval, and again after each further interval. It has
/// the newest position and the time at which it is due, without values that were measured only at the earlier time.
/// It is not movement: neither the odometer nor trips count it.
public struct HeartbeatDetector: EventDetector {
    /// The range of the interval, in seconds.
    package static let intervals: ClosedRange<Double> = 10...604_800

    /// The time between two heartbeats.
    public let interval: Duration
    /// The newest fix, and the due time of the next heartbeat.
    private var rest: Rest?

    private struct Rest: Sendable, Hashable {
        var coordinate: Coordinate
        var accuracy: Double?
        var altitude: Double?
        var due: Timestamp
    }

    /// Creates a detector without a history.
    ///
    /// - Parameter interval: The interval, 10 s to 7 days.
    /// - Throws: `ConfigurationError` for an interval out of its bounds.
    public init(interval: Duration) throws(ConfigurationError) {
        var check = ConfigurationCheck()
        check.seconds("heartbeat", interval, within: Self.intervals)
        try check.finish()
        self.interval = interval
    }

    /// Processes a fix: one of a moving object restarts the interval; any other one only updates the position.
    public mutating func observe(_ observed: DetectorFix, report: (DetectorEvent) -> Void) {
        let fix = observed.fix
        pass(to: fix.time, report: report)
        let next = fix.time.advanced(by: interval)
        // A due time in the far future comes from a wrong clock.
        let due = observed.isMoving ? next : min(rest?.due ?? next, next)
        rest = Rest(
            coordinate: fix.coordinate, accuracy: fix.horizontalAccuracy, altitude: fix.altitude, due: due)
    }

    /// Reports the due heartbeat; after a long gap in a recording there is one, not hundreds.
    public mutating func pass(to time: Timestamp, report: (DetectorEvent) -> Void) {
        guard let rest, rest.due <= time else { return }
        let fix = Fix(
            time: rest.due, coordinate: rest.coordinate, altitude: rest.altitude, horizontalAccuracy: rest.accuracy)
        self.rest?.due = time.advanced(by: interval)
        report(DetectorEvent(.heartbeat, at: fix))
    }

    /// Stops the heartbeats until the next fix, because the object's position is hidden.
    public mutating func conceal() { rest = nil }

    /// The due time of the next heartbeat.
    public var deadline: Timestamp? { rest?.due }

    /// The newest position and the due time of the next heartbeat.
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

    /// Continues from a saved state.
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
