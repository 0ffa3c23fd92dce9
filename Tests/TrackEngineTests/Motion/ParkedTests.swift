import Testing
import TrackEngine
import TrackEngineSimulated

/// Drift while parked must draw no spiders and add no kilometres.
@Suite("Parked")
struct ParkedTests {
    /// A minute or two of driving, then hours of standing, three times.
    private static func epochs(_ noise: NoiseModel, seed: UInt64) throws -> SimulatedDrive {
        var simulated = SimulatedConfiguration(seed: seed, duration: .seconds(5 * 3600))
        simulated.noise = noise
        simulated.parking = ParkingBehaviour(
            afterDriving: .seconds(90) ... .seconds(120), stay: .seconds(5_000) ... .seconds(6_000))
        return try SimulatedDrive(simulated)
    }

    @Test("at most one record for each time at rest, and not a metre", arguments: 0..<3, RecordingRule.allCases)
    func simulated(_ noise: Int, _ rule: RecordingRule) throws {
        for seed in UInt64(1)...2 {
            var pipeline = TrackPipeline(OdometerTests.configuration(rule), timeBase: .fixTime)
            var records: [PlannedRecord] = []
            func note(_ decision: Decision) { if case .record(let record) = decision { records.append(record) } }
            var (parkedSince, atRest, stays): (Timestamp?, Double?, Int) = (nil, nil, 0)
            for epoch in try Self.epochs(OdometerTests.noises[noise].model, seed: seed) {
                if epoch.truth.phase != .parked { (parkedSince, atRest) = (nil, nil) }
                if epoch.truth.phase == .parked, parkedSince == nil {
                    (parkedSince, stays) = (epoch.truth.time, stays + 1)
                }
                guard let fix = epoch.fix else { continue }
                let now = TrackInstant(fix.time)
                while let due = pipeline.nextTimeout(before: now) { pipeline.timeout(at: due, decide: note) }
                pipeline.process(fix, at: now, decide: note)
                // What happens once the thing is known to rest, and at most a minute after it stopped, is the test.
                if let since = parkedSince, fix.time.duration(since: since) > .seconds(75) {
                    #expect(atRest == nil || atRest == pipeline.odometer, "seed \(seed)")
                    atRest = pipeline.odometer
                    #expect(!pipeline.isMoving, "seed \(seed)")
                }
            }
            #expect(stays >= 3)
            #expect(records.count { $0.cause == .still } <= stays + 3)  // and a red light or two
            for (rest, next) in zip(records, records.dropFirst()) where rest.cause == .still {
                #expect(next.cause == .departed)
            }
        }
    }
}
