package import TrackEngine

/// A satellite receiver in a vehicle, which derives its fixes from the true values.
///
/// A pure value with its own generator, so that the noise never changes the route. Each observation draws the same
/// basic noise for every model, so models can be compared with the same errors.
package struct Receiver: Sendable {
    /// The reported speed, in metres per second, below which a receiver has no course to report.
    package static let slowestCourse = 0.5

    private let noise: NoiseModel
    private let step: Double
    private var random: SplitMix64
    private var error: AxisNoise
    private var drift: AxisNoise
    private var altitudeError: NoiseProcess
    private var constellation = Constellation()
    /// The weight of the drift, 0 to 1.
    private var standing = 0.0
    /// Seconds until the tunnel ends; zero or negative outside.
    private var tunnel = 0.0

    /// Creates a receiver that has been on for a long time.
    ///
    /// - Parameter step: seconds between two observations.
    package init(noise: NoiseModel, step: Double, random: SplitMix64) {
        var random = random
        error = AxisNoise(time: noise.correlation.inSeconds, step: step, using: &random)
        drift = AxisNoise(time: noise.parkedDriftCorrelation.inSeconds, step: step, using: &random)
        altitudeError = NoiseProcess(time: noise.correlation.inSeconds, step: step, using: &random)
        self.noise = noise
        self.step = step
        self.random = random
    }

    /// The receiver's fix at this time; `nil` in a tunnel.
    package mutating func observe(
        _ truth: SimulatedTruth, at place: LocalPosition, on plane: LocalPlane, geoidSeparation: Double
    ) -> Fix? {
        error.advance(using: &random)
        drift.advance(using: &random)
        altitudeError.advance(using: &random)
        constellation.advance(bySeconds: step, using: &random)
        let speedError = noise.speed * random.gaussian()
        let courseNoise = random.gaussian()
        noteStanding(truth.speed == 0)
        guard !isInTunnel(whileMoving: truth.speed > 0) else { return nil }
        let offset = positionError() + outlier()
        let speed = abs(truth.speed + speedError)
        let courseDeviation = speed > 0 ? min(noise.speed / speed * (180 / .pi), 90) : 90
        let hasCourse = speed >= Self.slowestCourse
        let altitude = truth.altitude + noise.altitude * constellation.dilution * altitudeError.value
        return Fix(
            time: truth.time, coordinate: plane.coordinate(of: place + offset),
            altitude: altitude, ellipsoidalAltitude: altitude + geoidSeparation,
            horizontalAccuracy: horizontalAccuracy,
            verticalAccuracy: 1.96 * noise.altitude * constellation.dilution,
            speed: speed, speedAccuracy: 1.96 * noise.speed,
            course: hasCourse ? truth.course + courseDeviation * courseNoise : nil,
            courseAccuracy: hasCourse ? 1.96 * courseDeviation : nil,
            horizontalDilution: Float(0.9 * constellation.dilution),
            positionDilution: Float(1.6 * constellation.dilution),
            satellitesUsed: constellation.used, satellitesVisible: constellation.visible,
            mode: .threeDimensional, status: .simulated, flags: .simulated)
    }

    /// The radius around the true position that contains 95 % of the fixes: 2.448 standard deviations of one axis.
    private var horizontalAccuracy: Double {
        let drift = standing * noise.parkedDrift
        return 2.448 * constellation.dilution * (noise.position * noise.position + drift * drift).squareRoot()
    }

    private func positionError() -> LocalPosition {
        (constellation.dilution * noise.position) * error.offset
            + (constellation.dilution * standing * noise.parkedDrift) * drift.offset
    }

    /// Updates the drift, which increases over 30 s at standstill and disappears within 5 s of driving.
    private mutating func noteStanding(_ stands: Bool) {
        standing = stands ? min(standing + step / 30, 1) : max(standing - step / 5, 0)
    }

    private mutating func isInTunnel(whileMoving moves: Bool) -> Bool {
        let enters = random.chance(noise.dropoutsPerHour / 3_600 * step)
        let length = random.uniform(in: noise.dropoutDuration.inSeconds)
        if tunnel > 0 {
            tunnel -= step
        } else if enters && moves {
            tunnel = length
        }
        return tunnel > 0
    }

    private mutating func outlier() -> LocalPosition {
        let occurs = random.chance(noise.outliersPerHour / 3_600 * step)
        let (sine, cosine) = Angle.sineAndCosine(ofDegrees: random.uniform(in: 0...360))
        let distance = random.uniform(in: noise.outlierDistance)
        return occurs ? distance * LocalPosition(east: sine, north: cosine) : .origin
    }
}

/// Two independent wandering errors, one for each horizontal axis.
private struct AxisNoise: Sendable {
    private var east: NoiseProcess
    private var north: NoiseProcess

    init(time: Double, step: Double, using random: inout SplitMix64) {
        east = NoiseProcess(time: time, step: step, using: &random)
        north = NoiseProcess(time: time, step: step, using: &random)
    }

    var offset: LocalPosition { LocalPosition(east: east.value, north: north.value) }

    mutating func advance(using random: inout SplitMix64) {
        east.advance(using: &random)
        north.advance(using: &random)
    }
}

/// The number of satellites that a receiver uses, which occasionally changes by one.
struct Constellation: Sendable {
    /// 6 to 14.
    private(set) var used: UInt8 = 10

    /// The visible satellites, including those that are too low in the sky to be used.
    var visible: UInt8 { used + 3 }

    /// The factor of the error compared with ten satellites; below 1 the solution is better.
    var dilution: Double { 10 / Double(used) }

    /// Adds or removes a satellite about every twenty seconds.
    mutating func advance(bySeconds step: Double, using random: inout SplitMix64) {
        let changes = random.chance(step / 20)
        let rises = random.chance(0.5)
        guard changes else { return }
        used = rises ? min(used + 1, 14) : max(used - 1, 6)
    }
}
