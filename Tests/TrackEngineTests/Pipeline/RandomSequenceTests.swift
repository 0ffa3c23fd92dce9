import Testing
import TrackEngine
import TrackEngineSimulated

/// What holds of every sequence of fixes, tried with seeded chance.
@Suite("Random sequences")
struct RandomSequenceTests {
    /// What a pipeline decided.
    private struct Outcome {
        var records: [RecordDraft] = []
        var decisions = 0
        /// How many deadlines were let pass before one fix, at the most.
        var mostTimeouts = 0

        mutating func note(_ fix: Fix, _ decision: Decision) {
            decisions += 1
            if case .record(let plan) = decision { records.append(plan.draft(of: fix, device: "d", source: "s")) }
        }
    }

    private static func run(_ fixes: [Fix], _ configuration: RecordingConfiguration) -> Outcome {
        var pipeline = TrackPipeline(configuration, timeBase: .fixTime)
        var outcome = Outcome()
        for fix in fixes {
            var timeouts = 0
            while timeouts < 100, let due = pipeline.nextTimeout(before: fix, wallClock: Road.start) {
                pipeline.timeout(at: due) { outcome.note($0, $1) }
                timeouts += 1
            }
            outcome.mostTimeouts = max(outcome.mostTimeouts, timeouts)
            pipeline.process(fix, at: TrackInstant(fix.time), wallClock: Road.start) { outcome.note($0, $1) }
        }
        pipeline.decideAll { outcome.note($0, $1) }
        return outcome
    }

    static func configurations(_ random: inout SplitMix64) -> RecordingConfiguration {
        var configuration = RecordingConfiguration.calmGeo
        configuration.record = RecordingRule.allCases.randomElement(using: &random) ?? .distance
        configuration.distanceFilter = [0, 1, 16, 100].randomElement(using: &random) ?? 16
        configuration.interval = [nil, .seconds(5), .seconds(300)].randomElement(using: &random) ?? nil
        configuration.angle = Bool.random(using: &random) ? 30 : nil
        configuration.maximumInterval = .seconds(Int.random(in: 0...60, using: &random))
        configuration.maximumSpeed = Bool.random(using: &random) ? 60 : nil
        configuration.minimumAccuracy = Bool.random(using: &random) ? 100 : nil
        configuration.maximumSpeedWithin = Bool.random(using: &random) ? .seconds(5) : nil
        configuration.maximumJump = Bool.random(using: &random) ? 500 : nil
        configuration.accuracyGain = Bool.random(using: &random) ? 5 : nil
        configuration.requiredMotionDuration = Bool.random(using: &random) ? .seconds(3) : nil
        configuration.stillAfter = .seconds([0, 60, 60, 600].randomElement(using: &random) ?? 60)
        configuration.standbyAfter = .seconds([0, 600, 1200].randomElement(using: &random) ?? 0)
        return configuration
    }

    /// A walk with pauses, gaps, jumps in place and time, and rows that are no fixes.
    static func walk(_ count: Int, _ random: inout SplitMix64) -> [Fix] {
        var (second, metres) = (0.0, 0.0)
        return (0..<count).map { _ in
            second += [0.1, 1, 1, 1, 10, 59, 61, 130, 4000, 400_000].randomElement(using: &random) ?? 1
            let isResting = Int.random(in: 0..<3, using: &random) == 0
            metres += isResting ? 0 : Double.random(in: -50...300, using: &random)
            let jump = Int.random(in: 0..<25, using: &random)
            return Road.fix(
                jump == 0 ? second + Double.random(in: -500_000...500_000, using: &random) : second,
                metres: jump == 1 ? Double.random(in: -5_000_000...5_000_000, using: &random) : metres,
                speed: Bool.random(using: &random) ? Double.random(in: 0...40, using: &random) : nil,
                accuracy: Bool.random(using: &random) ? Double.random(in: 0...150, using: &random) : nil)
        }
    }

    @Test(arguments: 0..<200)
    func `no id twice, one record a fix and one for each rest, and few deadlines before a fix`(_ seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        let configuration = Self.configurations(&random)
        let fixes = Self.walk(400, &random)
        let outcome = Self.run(fixes, configuration)
        #expect(Set(outcome.records.map(\.id)).count == outcome.records.count)
        let rests = outcome.records.count { $0.cause == .still }
        #expect(outcome.records.count <= fixes.count + rests)
        #expect(rests <= fixes.count / 2)
        #expect(outcome.mostTimeouts <= 4)
        #expect(outcome.records.count { $0.cause == .first } <= 1)
    }

    @Test(arguments: 0..<100)
    func `no stop while every fix says that the tracked object moves`(_ seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        let configuration = Self.configurations(&random)
        let fixes = Self.walk(400, &random).map {
            Fix(time: $0.time, coordinate: $0.coordinate, speed: Double.random(in: 2.5...40, using: &random))
        }
        #expect(Self.run(fixes, configuration).records.count { !$0.isMoving } == 0)
    }

    @Test(arguments: 0..<200)
    func `no time and no place makes the pipeline trap, or decide without bound`(_ seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        let configuration = Self.configurations(&random)
        let numbers: [Double?] = [
            nil, 0, -0.0, .leastNonzeroMagnitude, 1e-300, 1, 2.5, 180, 1e18, .greatestFiniteMagnitude,
        ]
        let fixes = (0..<300).map { _ in
            Fix(
                time: Self.time(&random), coordinate: Self.coordinate(&random),
                horizontalAccuracy: numbers.randomElement(using: &random) ?? nil,
                speed: numbers.randomElement(using: &random) ?? nil,
                speedAccuracy: numbers.randomElement(using: &random) ?? nil,
                course: numbers.randomElement(using: &random) ?? nil,
                activity: Activity.allCases.randomElement(using: &random))
        }
        let outcome = Self.run(fixes, configuration)
        #expect(outcome.mostTimeouts <= 4)
        #expect(outcome.decisions <= 8 * fixes.count)
        for base in [TimeBase.arrival, .fixTime] {
            var pipeline = TrackPipeline(configuration, timeBase: base)
            for fix in fixes {
                let now = TrackInstant(Self.time(&random))
                pipeline.process(fix, at: now, wallClock: Self.time(&random)) { _, _ in }
                pipeline.timeout(at: TrackInstant(Self.time(&random))) { _, _ in }
            }
        }
    }

    private static func time(_ random: inout SplitMix64) -> Timestamp {
        let near = Road.start.nanosecondsSince1970
        let candidates: [Int64] = [
            .min, .min + 1, -1, 0, 1, .max - 1, .max, near, near + 1, near + 60_000_000_000,
            Int64.random(in: .min ... .max, using: &random),
            near + Int64.random(in: 0...1_000_000_000_000, using: &random),
        ]
        return Timestamp(nanosecondsSince1970: candidates.randomElement(using: &random) ?? 0)
    }

    private static func coordinate(_ random: inout SplitMix64) -> Coordinate {
        let latitudes = [-90, -89.999_999, -1e-300, 0, 0.5, 53, 89.999_999, 90, 91, .nan, .infinity]
        let longitudes = [-180, -179.999_999, 0, .leastNonzeroMagnitude, 10, 179.999_999, 180, 181, .nan, -.infinity]
        return Coordinate(
            latitude: latitudes.randomElement(using: &random) ?? 0,
            longitude: longitudes.randomElement(using: &random) ?? 0)
    }
}
