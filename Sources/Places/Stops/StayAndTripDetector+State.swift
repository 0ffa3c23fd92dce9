internal import TrackEngine

extension StayAndTripDetector {
    /// Of what form the state is; the first one knew nothing of wild fixes, and others are not read.
    private static let version: UInt8 = 2

    /// What has to be kept to go on after a restart, at most 5 KiB.
    public var state: [UInt8] {
        var writer = StateWriter()
        writer.write(Self.version)
        writer.write(wildFixes.excess)
        writer.write(isPresent: latest != nil)
        latest?.write(to: &writer)
        writer.write(awaitedMode?.rawValue ?? 0)
        reporter.meter.write(to: &writer)
        reporter.trips.write(to: &writer)
        stops.write(to: &writer)
        return writer.bytes
    }

    /// Goes on from a kept state, under the present settings. One that it cannot read leaves the detector as it is.
    ///
    /// - Returns: whether the state was read.
    @discardableResult
    public mutating func resume(from state: [UInt8]) -> Bool {
        var reader = StateReader(state)
        var trips = reporter.trips
        guard let version = reader.number(UInt8.self), (1...Self.version).contains(version),
            let excess = version == 1 ? 0 : reader.double(), excess.isFinite,
            let latest = reader.optional({ Fix(from: &$0) }),
            let mode = reader.number(UInt8.self), let meter = TravelMeter(from: &reader),
            trips.resume(from: &reader), let stops = StopDetector(from: &reader, rule: stops.rule), reader.isAtEnd
        else { return false }
        self.latest = latest
        wildFixes = WildFixFilter()
        wildFixes.excess = excess
        awaitedMode = TripMode(rawValue: mode)
        reporter.meter = meter
        reporter.trips = trips
        self.stops = stops
        return true
    }
}

extension Fix {
    /// Writes as much as ``kept`` has.
    fileprivate func write(to writer: inout StateWriter) {
        writer.write(time)
        writer.write(coordinate)
        let numbers = [altitude, horizontalAccuracy, verticalAccuracy, speed, speedAccuracy, course]
        for number in numbers { writer.write(number ?? .nan) }
    }

    fileprivate init?(from reader: inout StateReader) {
        guard let time = reader.time(), let coordinate = reader.validCoordinate(), let altitude = reader.double(),
            let accuracy = reader.double(), let verticalAccuracy = reader.double(), let speed = reader.double(),
            let speedAccuracy = reader.double(), let course = reader.double()
        else { return nil }
        // A fix drops what is no number.
        self.init(
            time: time, coordinate: coordinate, altitude: altitude, horizontalAccuracy: accuracy,
            verticalAccuracy: verticalAccuracy, speed: speed, speedAccuracy: speedAccuracy, course: course)
    }
}
