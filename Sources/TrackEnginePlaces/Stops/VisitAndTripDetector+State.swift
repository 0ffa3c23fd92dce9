internal import TrackEngine

extension VisitAndTripDetector {
    /// The version of the state's format. Earlier versions are read as well: version 1 has no data about wild fixes,
    /// version 2 only their excess on the odometer. Neither has the hidden state.
    private static let version: UInt8 = 3

    /// The state that lets the detector continue after a restart, at most 5 KiB.
    public var state: [UInt8] {
        var writer = StateWriter()
        writer.write(Self.version)
        wildFixes.write(to: &writer)
        writer.write(isPresent: latest != nil)
        latest?.write(to: &writer)
        writer.write(awaitedMode?.rawValue ?? 0)
        reporter.meter.write(to: &writer)
        reporter.trips.write(to: &writer)
        stops.write(to: &writer)
        return writer.bytes
    }

    /// Continues from a saved state, under the present settings. An unreadable state leaves the detector unchanged.
    ///
    /// - Returns: Whether the state was read.
    @discardableResult
    public mutating func resume(from state: [UInt8]) -> Bool {
        var reader = StateReader(state)
        var trips = reporter.trips
        guard let version = reader.number(UInt8.self), (1...Self.version).contains(version),
            let wildFixes = JumpFilter(from: &reader, version: version),
            let latest = reader.optional({ Fix(from: &$0) }),
            let mode = reader.number(UInt8.self), let meter = TravelMeter(from: &reader),
            trips.resume(from: &reader),
            let stops = StopDetector(from: &reader, rule: stops.rule, knowsConcealment: version > 2), reader.isAtEnd
        else { return false }
        self.latest = latest
        self.wildFixes = wildFixes
        reporter.fix = latest
        awaitedMode = TripMode(rawValue: mode)
        reporter.meter = meter
        reporter.trips = trips
        self.stops = stops
        return true
    }
}
