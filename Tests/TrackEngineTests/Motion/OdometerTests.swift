import TestSupport
import Testing
import TrackEngine
import TrackEngineSimulated

@Suite("Odometer")
struct OdometerTests {
    static let noises: [(name: String, model: NoiseModel)] = {
        var houses = NoiseModel.urban
        houses.outliersPerHour = 0
        return [("open sky", .openSky), ("none", .none), ("between houses", houses)]
    }()

    static func configuration(_ rule: RecordingRule) -> RecordingConfiguration {
        var configuration = RecordingConfiguration()
        configuration.record = rule
        configuration.interval = .seconds(60)
        configuration.angle = 30
        return configuration
    }

    @Test(
        .enabled(if: TestEnvironment.isOptimised),
        arguments: 0..<3, RecordingRule.allCases)
    func `within 1 % of the truth on simulated drives`(_ noise: Int, _ rule: RecordingRule) throws {
        for (seed, rate) in [(UInt64(1), 1), (2, 10), (3, 1), (4, 1)] {
            var simulated = SimulatedSource.Configuration(seed: seed, rate: rate, duration: .seconds(3600))
            simulated.noise = Self.noises[noise].model
            var pipeline = TrackPipeline(Self.configuration(rule), timeBase: .fixTime)
            var driven = 0.0
            for epoch in try SimulatedDrive(simulated) {
                driven = epoch.truth.odometer
                if let fix = epoch.fix { _ = pipeline.feedLate(fix) }
            }
            #expect(driven > 10_000)
            #expect(
                abs(pipeline.odometer - driven) <= driven / 100,
                "\(Self.noises[noise].name), seed \(seed), \(rate) Hz: \(pipeline.odometer) of \(driven) m")
        }
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func `without speeds, too, where places are good`(seed: UInt64) throws {
        var simulated = SimulatedSource.Configuration(seed: seed, duration: .seconds(3600))
        simulated.noise.position = 0.5
        var pipeline = TrackPipeline(RecordingConfiguration(), timeBase: .fixTime)
        var driven = 0.0
        for epoch in try SimulatedDrive(simulated) {
            driven = epoch.truth.odometer
            guard let fix = epoch.fix else { continue }
            _ = pipeline.feedLate(
                Fix(time: fix.time, coordinate: fix.coordinate, horizontalAccuracy: fix.horizontalAccuracy))
        }
        #expect(abs(pipeline.odometer - driven) <= driven / 50, "\(pipeline.odometer) of \(driven) m")
    }

    @Test
    func `the way of a drive, worked out by hand`() {
        // 100 s at 10 m/s are 1000 m; the speed is even, so the integral is exact.
        var pipeline = TrackPipeline(.calmGeo, timeBase: .fixTime)
        for second in 0...100 {
            _ = pipeline.feedLate(Road.fix(Double(second), metres: Double(second) * 10, speed: 10))
        }
        #expect(abs(pipeline.odometer - 1000) <= 20)
        // Records are where it counts: 10 m past each 99.2 m.
        var records: [RecordPlan] = []
        var again = TrackPipeline(.calmGeo, timeBase: .fixTime)
        for second in 0...100 {
            let fix = Road.fix(Double(second), metres: Double(second) * 10, speed: 10)
            if case .record(let record) = again.process(fix, at: TrackInstant(fix.time)) { records.append(record) }
        }
        let odometers = records.map { ($0.odometer * 1e6).rounded() / 1e6 }
        #expect(odometers == [0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000])
    }

    @Test
    func `each record shows what the odometer showed at its own fix, however late it is decided`() throws {
        let fixes = try LateDecisionTests.simulated(5)
        var pipeline = TrackPipeline(LateDecisionTests.configuration(), timeBase: .fixTime)
        let records = LateDecisionTests.run(fixes, &pipeline).records
        #expect(zip(records, records.dropFirst()).allSatisfy { $0.plan.odometer <= $1.plan.odometer })
        var way = 0.0
        for (record, next) in zip(records, records.dropFirst()) {
            way += record.fix.coordinate.distance(to: next.fix.coordinate)
            #expect(abs(next.plan.odometer - way) < 0.05 * way + 60, "\(next.plan.odometer) at \(way) m")
        }
    }

    @Test
    func `another run goes on from the last reading`() {
        var pipeline = TrackPipeline(.calmGeo, timeBase: .fixTime)
        pipeline.resume(odometer: 5000)
        for second in 0...100 {
            _ = pipeline.feedLate(Road.fix(Double(second), metres: Double(second) * 10, speed: 10))
        }
        #expect(abs(pipeline.odometer - 6000) <= 20)
    }
}
