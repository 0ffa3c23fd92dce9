import Testing
import TrackEngine
import TrackEngineSimulated

/// The rule `deviation` in the pipeline: it decides late, and nothing comes out of order, twice or beyond the bound.
@Suite("Late decisions")
struct LateDecisionTests {
    /// A record that is to be made.
    struct Planned {
        let fix: Fix
        let plan: RecordPlan

        var draft: RecordDraft { plan.draft(of: fix, device: "d", source: "s") }
    }

    static func configuration(interval: Duration = .zero) -> RecordingConfiguration {
        var configuration = RecordingConfiguration()
        configuration.record = .deviation
        configuration.maximumInterval = interval
        return configuration
    }

    /// All records that fixes lead to, and how many fixes were rejected.
    static func run(
        _ fixes: [Fix], _ pipeline: inout TrackPipeline, ends: Bool = true
    ) -> (records: [Planned], accepted: [Fix], rejected: Int) {
        var result: (records: [Planned], accepted: [Fix], rejected: Int) = ([], [], 0)
        func note(_ fix: Fix, _ decision: Decision) {
            switch decision {
            case .record(let plan):
                result.records.append(Planned(fix: fix, plan: plan))
                if plan.cause == .first || plan.cause == .departed { result.accepted.append(fix) }
            case .undecided: result.accepted.append(fix)
            case .reject: result.rejected += 1
            case .standby: break
            }
        }
        for fix in fixes {
            while let due = pipeline.nextTimeout(before: fix) {
                pipeline.timeout(at: due, decide: note)
            }
            pipeline.process(fix, at: TrackInstant(fix.time), decide: note)
        }
        if ends { pipeline.decideAll(decide: note) }
        return result
    }

    static func simulated(_ seed: UInt64, hours: Int = 1) throws -> [Fix] {
        try SimulatedDrive(SimulatedSource.Configuration(seed: seed, duration: .seconds(3600 * hours))).compactMap(
            \.fix)
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func `the records keep every accepted fix of a drive with stops within the bound`(seed: UInt64) throws {
        for interval in [Duration.zero, .seconds(30)] {
            var pipeline = TrackPipeline(Self.configuration(interval: interval), timeBase: .fixTime)
            let (records, accepted, rejected) = Self.run(try Self.simulated(seed), &pipeline)
            let check = TrackChecker(fixes: accepted, kept: records.map(\.fix).uniqued)
            #expect(check.defects == [], "seed \(seed)")
            #expect(check.largest <= 10 + DeviationFilterTests.rounding, "seed \(seed)")
            #expect(records.contains { $0.plan.cause == .still } && records.contains { $0.plan.cause == .departed })
            #expect(zip(records, records.dropFirst()).allSatisfy { $0.fix.time <= $1.fix.time })
            // Every accepted fix has become a record or has been passed over, and is counted as one of both.
            let onTheWay = records.filter { $0.plan.cause != .still }.map(\.fix).uniqued.count
            let rest = records.filter { $0.plan.cause == .still }.count { still in
                !records.contains { $0.fix == still.fix && $0.plan.cause != .still }
            }
            #expect(accepted.count == onTheWay + rest + records.map(\.plan.passedOver).reduce(0, +))
            #expect(rejected > 0)
        }
    }

    @Test
    func `an interval bounds how long a moving thing's record may lag, and is named as the cause`() {
        var pipeline = TrackPipeline(Self.configuration(interval: .seconds(30)), timeBase: .fixTime)
        let fixes = (0...100).map { Road.fix(Double($0), metres: Double($0) * 10, speed: 10) }
        let records = Self.run(fixes, &pipeline).records
        #expect(records.map(\.plan.cause) == [.first, .interval, .interval, .interval, .deviation])
        let seconds = records.map { $0.fix.time.duration(since: Road.start).components.seconds }
        #expect(seconds == [0, 30, 60, 90, 100])
        #expect(records.map(\.plan.passedOver) == [0, 29, 29, 29, 9])
    }

    @Test
    func `no interval record of a thing that has not left its place by more than the bound`() {
        var pipeline = TrackPipeline(Self.configuration(interval: .seconds(10)), timeBase: .fixTime)
        let fixes = (0...300).map { Road.fix(Double($0), metres: $0 % 2 == 0 ? 0 : 8, speed: 0) }
        #expect(Self.run(fixes, &pipeline).records.map(\.plan.cause) == [.first, .still])
    }

    @Test
    func `live, the interval falls due on the clock though no fix comes`() {
        var pipeline = TrackPipeline(Self.configuration(interval: .seconds(30)), timeBase: .arrival)
        let moment = TrackInstant(nanoseconds: 5_000_000_000)
        pipeline.process(Road.fix(0), at: moment) { _, _ in }
        pipeline.process(Road.fix(7, metres: 70), at: moment.advanced(by: .seconds(7))) { _, _ in }
        #expect(pipeline.deadline == moment.advanced(by: .seconds(30)))
        var words: [String] = []
        pipeline.timeout(at: moment.advanced(by: .seconds(30))) {
            words.append($1.inWords(at: TrackInstant(Road.start)))
        }
        #expect(words == ["0: interval, moves"])
        #expect(pipeline.deadline == moment.advanced(by: .seconds(67)))
    }

    @Test
    func `coming to rest decides first what is undecided`() {
        var pipeline = TrackPipeline(Self.configuration(), timeBase: .fixTime)
        let fixes = (0...200).map { Road.fix(Double($0), metres: Double(min($0, 50)) * 10, speed: $0 < 50 ? 10 : 0) }
        let records = Self.run(fixes, &pipeline).records
        #expect(records.map(\.plan.cause) == [.first, .deviation, .still])
        #expect(zip(records, records.dropFirst()).allSatisfy { $0.fix.time < $1.fix.time })
        #expect(pipeline.isStandby)
    }

    @Test
    func `a request decides first what is undecided, and the track goes on from it`() {
        var pipeline = TrackPipeline(Self.configuration(), timeBase: .fixTime)
        _ = Self.run((0...20).map { Road.fix(Double($0), metres: Double($0) * 10) }, &pipeline, ends: false)
        var records: [Planned] = []
        let follows = pipeline.request {
            if case .record(let plan) = $1 { records.append(Planned(fix: $0, plan: plan)) }
        }
        #expect(follows)
        #expect(records.map(\.plan.cause) == [.requested])
        #expect(records.first?.fix == Road.fix(20, metres: 200))
        let again = pipeline.request { if case .record(let plan) = $1 { records.append(Planned(fix: $0, plan: plan)) } }
        #expect(!again)
        #expect(records.count == 2)
    }

    @Test
    func `killed anywhere and replayed, the track is whole, within the bound, and has no record twice`() throws {
        let fixes = Array(try Self.simulated(4).prefix(1500))
        for end in stride(from: 1, to: fixes.count, by: 97) {
            var first = TrackPipeline(Self.configuration(), timeBase: .fixTime)
            let before = Self.run(Array(fixes.prefix(end)), &first, ends: false)
            let last = try #require(before.records.last).draft
            var second = TrackPipeline(Self.configuration(), timeBase: .fixTime)
            second.resume(
                from: first.checkpoint(after: last), at: TrackInstant(fixes[0].time), wallClock: fixes[0].time)
            let after = Self.run(fixes, &second)
            let records = before.records + after.records
            #expect(Set(records.map(\.draft.id)).count == records.count)
            let accepted = (before.accepted.filter { $0.time <= last.fix.time } + after.accepted).uniqued
            let check = TrackChecker(fixes: accepted, kept: records.map(\.fix).uniqued)
            #expect(check.defects == [], "killed after \(end)")
            #expect(check.largest <= 10 + DeviationFilterTests.rounding, "killed after \(end)")
        }
    }
}

extension [Fix] {
    /// Without repetitions of neighbours.
    fileprivate var uniqued: [Fix] {
        var fixes: [Fix] = []
        for fix in self where fixes.last != fix { fixes.append(fix) }
        return fixes
    }
}
