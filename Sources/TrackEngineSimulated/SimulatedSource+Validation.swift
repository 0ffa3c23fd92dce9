package import TrackEngine

extension SimulatedSource.Configuration {
    /// The valid numbers of fixes per second for a vehicle.
    package static let rates = 1...10
    package static let durationSeconds = 0.001...315_360_000
    /// The largest distance of a stop from the start, in metres.
    static let farthestStop = 5_000.0

    /// Checks every value.
    ///
    /// - Throws: an error that lists all invalid values.
    package func validate() throws(ConfigurationError) {
        var check = ConfigurationCheck()
        check.range("vehicle", vehicle, 0...1_000_000)
        check.range("rate", rate, Self.rates)
        if !start.isValid {
            check.problem("start", "\(start.latitude), \(start.longitude)", "a latitude and a longitude")
        }
        check.range("geoidSeparation", geoidSeparation, -150...150)
        check.seconds("duration", duration, within: Self.durationSeconds)
        parking.validate(with: &check)
        for stop in stops where start.isValid && !isReachable(stop) {
            check.problem("stops", "\(stop.latitude), \(stop.longitude)", "places within 5 km of the start")
        }
        noise.validate(with: &check)
        try check.finish()
    }

    private func isReachable(_ stop: Coordinate) -> Bool {
        stop.isValid && LocalPlane(at: home).place(of: stop).distanceFromOrigin <= Self.farthestStop
    }
}

extension ParkingModel {
    fileprivate func validate(with check: inout ConfigurationCheck) {
        let allowed = Duration.seconds(1) ... .seconds(86_400)
        if let afterDriving { check.range("parking.afterDriving", afterDriving, allowed) }
        check.range("parking.stay", stay, allowed)
    }
}

extension NoiseModel {
    fileprivate func validate(with check: inout ConfigurationCheck) {
        check.range("noise.position", position, 0...100)
        check.range("noise.correlation", correlation, .seconds(1) ... .seconds(3_600))
        check.range("noise.altitude", altitude, 0...100)
        check.range("noise.parkedDrift", parkedDrift, 0...100)
        check.range("noise.parkedDriftCorrelation", parkedDriftCorrelation, .seconds(1) ... .seconds(86_400))
        check.range("noise.speed", speed, 0...10)
        check.range("noise.dropoutsPerHour", dropoutsPerHour, 0...3_600)
        check.range("noise.dropoutDuration", dropoutDuration, .milliseconds(100) ... .seconds(3_600))
        check.range("noise.outliersPerHour", outliersPerHour, 0...3_600)
        check.range("noise.outlierDistance", outlierDistance, 0...100_000)
    }
}

extension ConfigurationCheck {
    fileprivate mutating func range<Value: Comparable>(
        _ key: String, _ value: ClosedRange<Value>, _ allowed: ClosedRange<Value>
    ) {
        guard !(allowed.contains(value.lowerBound) && allowed.contains(value.upperBound)) else { return }
        problem(key, "\(value)", "a range within \(allowed.lowerBound) to \(allowed.upperBound)")
    }
}
