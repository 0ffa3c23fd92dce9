import TestSupport
import Testing
import TrackEngine
import TrackEngineSimulated

/// Drift while parked must draw no spiders and add no kilometres.
@Suite("Parked")
struct ParkedTests {
    /// What a pipeline makes of fixes at which the tracked object stands.
    private struct Watch {
        /// Records after standby began, until the first fix of the next movement.
        private(set) var recordsInStandby = 0
        private(set) var standbys = 0
        /// What the odometer has shown since the tracked object was known to rest.
        private(set) var readings: Set<Double> = []
        private var isStandby = false

        mutating func note(_ decision: Decision) {
            switch decision {
            case .record: recordsInStandby += isStandby ? 1 : 0
            case .standby: (isStandby, standbys) = (true, standbys + 1)
            case .reject, .undecided: break
            }
        }

        mutating func read(_ pipeline: TrackPipeline) {
            if !pipeline.isMoving { readings.insert(pipeline.odometer) }
            isStandby = pipeline.isStandby
        }
    }

    private static func pass(_ fix: Fix, through pipeline: inout TrackPipeline, _ note: (Fix, Decision) -> Void) {
        let now = TrackInstant(fix.time)
        while let due = pipeline.nextTimeout(before: fix) { pipeline.timeout(at: due, decide: note) }
        pipeline.process(fix, at: now, decide: note)
    }

    /// A minute or two of driving, then hours of standing, three times.
    private static func epochs(_ noise: NoiseModel, seed: UInt64) throws -> SimulatedDrive {
        var simulated = SimulatedSource.Configuration(seed: seed, duration: .seconds(5 * 3600))
        simulated.noise = noise
        simulated.parking = ParkingModel(
            afterDriving: .seconds(90) ... .seconds(120), stay: .seconds(5_000) ... .seconds(6_000))
        return try SimulatedDrive(simulated)
    }

    @Test(
        arguments: 0..<3, RecordingRule.allCases)
    func `one record when it comes to rest, none after that, and not a metre`(_ noise: Int, _ rule: RecordingRule)
        throws
    {
        for seed in UInt64(1)...(TestEnvironment.isOptimised ? 2 : 1) {
            var pipeline = TrackPipeline(OdometerTests.configuration(rule), timeBase: .fixTime)
            var stays: [Watch] = []
            var isParked = false
            for epoch in try Self.epochs(OdometerTests.noises[noise].model, seed: seed) {
                if epoch.truth.phase == .parked, !isParked { stays.append(Watch()) }
                isParked = epoch.truth.phase == .parked
                guard let fix = epoch.fix else { continue }
                guard isParked, !stays.isEmpty else {
                    Self.pass(fix, through: &pipeline) { _, _ in }
                    continue
                }
                var stay = stays.removeLast()
                Self.pass(fix, through: &pipeline) { stay.note($1) }
                stay.read(pipeline)
                stays.append(stay)
            }
            #expect(stays.count >= 3)
            // The last stay may be cut short by the end.
            for stay in stays.dropLast() {
                #expect(stay.standbys == 1, "seed \(seed)")
                #expect(stay.recordsInStandby == 0, "seed \(seed)")
                #expect(stay.readings.count == 1, "seed \(seed): \(stay.readings.sorted())")
            }
        }
    }

    @Test(
        arguments: RecordingRule.allCases)
    func `a receiver on a roof, recorded for minutes, makes two records at the most`(_ rule: RecordingRule) throws {
        for fixes in try RecordedTracks.standing() {
            var pipeline = TrackPipeline(OdometerTests.configuration(rule), timeBase: .fixTime)
            var records: [RecordCause] = []
            for fix in fixes {
                Self.pass(fix, through: &pipeline) { if case .record(let record) = $1 { records.append(record.cause) } }
            }
            #expect(records.count { $0 == .still } == 1, "\(records)")
            #expect(records.last == .still, "\(records)")
            #expect(pipeline.odometer == 0)
        }
    }
}
