import Testing
import TrackEngine
import TrackEngineSimulated

@Suite struct ReceiverTests {
    private static let home = Coordinate(latitude: 52.52, longitude: 13.405)

    private static func truth(speed: Double, course: Double = 0) -> SimulatedTruth {
        SimulatedTruth(
            time: Timestamp(secondsSince1970: 0), coordinate: home, altitude: 100, speed: speed, course: course,
            odometer: 0, phase: speed > 0 ? .cruising : .parked)
    }

    /// What a receiver that stays at one place, moving or not, reports at 1 Hz.
    private func observe(
        _ noise: NoiseModel, speed: Double, seconds: Int, seed: UInt64 = 1
    ) -> [Fix?] {
        let plane = LocalPlane(at: Self.home)
        var receiver = Receiver(noise: noise, step: 1, random: SplitMix64(seed: seed))
        return (0..<seconds).map { _ in
            receiver.observe(Self.truth(speed: speed), at: .origin, on: plane, geoidSeparation: 40)
        }
    }

    private func model(_ change: (inout NoiseModel) -> Void) -> NoiseModel {
        var model = NoiseModel.none
        change(&model)
        return model
    }

    @Test func `without noise the fix is the truth`() throws {
        let fix = try #require(observe(.none, speed: 10, seconds: 1)[0])
        #expect(fix.coordinate.distance(to: Self.home) < 1e-6)
        #expect(fix.speed == 10)
        #expect(fix.course == 0)
        #expect(fix.altitude == 100)
        #expect(fix.ellipsoidalAltitude == 140)
        #expect(fix.horizontalAccuracy == 0)
        #expect(fix.flags == .simulated)
        #expect(fix.status == .simulated)
        #expect(fix.mode == .threeDimensional)
    }

    @Test func `the reported accuracy holds 95 per cent of the errors`() {
        let fixes = observe(model { $0.position = 1.5 }, speed: 10, seconds: 200_000).compactMap { $0 }
        let within = fixes.count { $0.coordinate.distance(to: Self.home) <= $0.horizontalAccuracy ?? 0 }
        #expect(abs(Double(within) / 200_000 - 0.95) < 0.01)
    }

    @Test func `position errors wander: near in one second, far in ten minutes`() {
        let fixes = observe(model { $0.position = 1.5 }, speed: 10, seconds: 50_000).compactMap { $0 }
        func step(_ gap: Int) -> Double {
            let pairs = zip(fixes, fixes.dropFirst(gap))
            return pairs.reduce(0) { $0 + $1.0.coordinate.distance(to: $1.1.coordinate) } / Double(fixes.count - gap)
        }
        // Per axis the step has variance 2σ²(1 − φ): 0.39 m and 2.1 m, of which a plane's mean step is 1.25 times.
        #expect((0.3...0.65).contains(step(1)))
        #expect((2.2...3.2).contains(step(600)))
    }

    @Test func `a parked vehicle drifts by metres but not away`() throws {
        let fixes = observe(model { $0.parkedDrift = 2.5 }, speed: 0, seconds: 6 * 3_600).compactMap { $0 }
        let distances = fixes.map { $0.coordinate.distance(to: Self.home) }
        #expect(distances[0] < 1)  // the drift has only begun
        #expect(try #require(distances.max()) > 5)
        #expect(try #require(distances.max()) < 25)
    }

    @Test func `a driving vehicle does not drift`() {
        let fixes = observe(model { $0.parkedDrift = 2.5 }, speed: 10, seconds: 100).compactMap { $0 }
        #expect(fixes.allSatisfy { $0.coordinate.distance(to: Self.home) < 1e-6 })
    }

    @Test func `speed is never negative, and a standing receiver has no course`() {
        let fixes = observe(model { $0.speed = 0.1 }, speed: 0, seconds: 10_000).compactMap { $0 }
        #expect(fixes.allSatisfy { $0.speed.map { $0 >= 0 } ?? false })
        #expect(fixes.allSatisfy { ($0.course == nil) == ($0.speed ?? 0 < Receiver.slowestCourse) })
        #expect(fixes.count { $0.course != nil } < 10)
    }

    @Test func `the course is the better the faster it goes`() throws {
        func spread(_ speed: Double) -> Double {
            let fixes = observe(model { $0.speed = 0.1 }, speed: speed, seconds: 5_000).compactMap { $0 }
            let squares = fixes.compactMap(\.course).map { course in
                let error = course.remainder(dividingBy: 360)
                return error * error
            }
            return (squares.reduce(0, +) / Double(squares.count)).squareRoot()
        }
        #expect(abs(spread(10) - 0.573) < 0.03)  // 0.1 / 10 rad
        #expect(abs(spread(2) - 2.87) < 0.15)
    }

    @Test func `as many tunnels come per hour of driving as configured, of the configured length`() {
        let noise = model {
            $0.dropoutsPerHour = 20
            $0.dropoutDuration = .seconds(5) ... .seconds(15)
        }
        let fixes = observe(noise, speed: 10, seconds: 100 * 3_600)
        var lengths: [Int] = []
        for (before, fix) in zip(fixes, fixes.dropFirst()) where fix == nil {
            if before != nil { lengths.append(0) }
            if !lengths.isEmpty { lengths[lengths.count - 1] += 1 }
        }
        // 20 an hour outside of tunnels, in which 20 × 10 s of it are spent: 1 in 19 hours.
        #expect(abs(lengths.count - 1_895) < 200)
        #expect(lengths.allSatisfy { (5...15).contains($0) })
    }

    @Test func `no tunnel begins while the vehicle stands`() {
        let fixes = observe(model { $0.dropoutsPerHour = 3_600 }, speed: 0, seconds: 1_000)
        #expect(fixes.allSatisfy { $0 != nil })
    }

    @Test func `as many outliers come per hour as configured, each a single fix`() {
        let fixes = observe(model { $0.outliersPerHour = 36 }, speed: 10, seconds: 100 * 3_600).compactMap { $0 }
        let distances = fixes.map { $0.coordinate.distance(to: Self.home) }
        let outliers = distances.filter { $0 > 1 }
        #expect(abs(outliers.count - 3_600) < 300)
        #expect(outliers.allSatisfy { (49...301).contains($0) })
    }

    @Test func `satellites come and go within bounds, and dilution follows them`() throws {
        let fixes = observe(.openSky, speed: 10, seconds: 50_000).compactMap { $0 }
        let used = fixes.compactMap(\.satellitesUsed)
        #expect(Set(used) == Set(6...14))
        for fix in fixes {
            let used = try #require(fix.satellitesUsed)
            #expect(fix.satellitesVisible == used + 3)
            #expect(fix.horizontalDilution == Float(9 / Double(used)))
        }
    }

    @Test func `noise changes by the model, not by the draw: double the noise, double the error`() {
        let plane = LocalPlane(at: Self.home)
        let single = observe(model { $0.position = 1 }, speed: 10, seconds: 100).compactMap { $0 }
        let double = observe(model { $0.position = 2 }, speed: 10, seconds: 100).compactMap { $0 }
        for (one, two) in zip(single, double) {
            let origin = plane.coordinate(of: .origin)
            #expect(abs(two.coordinate.distance(to: origin) - 2 * one.coordinate.distance(to: origin)) < 1e-4)
        }
    }
}
