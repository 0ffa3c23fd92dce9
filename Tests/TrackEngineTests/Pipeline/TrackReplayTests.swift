import TestSupport
import Testing
import TrackEngine
import TrackEngineSimulated

/// Going through recorded fixes without a tracker.
@Suite("A replayed track", .timeLimit(.minutes(30)))
struct TrackReplayTests {
    /// Hands a recording over in pieces.
    private struct Recording: FixSource {
        let id: SourceID = "tape"
        let timeBase = TimeBase.fixTime
        let fixes: [Fix]

        func run(_ output: FixOutput) async throws {
            for start in stride(from: 0, to: fixes.count, by: 37) {
                try await output.emit(contentsOf: Array(fixes[start..<min(start + 37, fixes.count)]))
            }
        }
    }

    private func tracked(_ fixes: [Fix], _ configuration: RecordingConfiguration) async throws -> [RecordDraft] {
        let store = InMemoryFixStore()
        let tracker = try Tracker.make(store: store, sources: [Recording(fixes: fixes)]) {
            $0.recording = configuration
            $0.retention.maxDaysToPersist = 0
            $0.wallClock = { Road.start }
        }
        try await tracker.run(until: .sourcesFinished)
        return try await store.records(after: .zero, limit: 10_000).map(\.draft)
    }

    @Test(arguments: 0..<40)
    func `the records are those of a tracker that replays the fixes, with every rule`(_ seed: Int) async throws {
        var random = SplitMix64(seed: UInt64(seed))
        var configuration = RandomSequenceTests.configurations(&random)
        configuration.record = RecordingRule.allCases[seed % RecordingRule.allCases.count]
        let fixes = RandomSequenceTests.walk(400, &random)
        let expected = try await tracked(fixes, configuration)
        let replayed = fixes.track(configuration, device: "van-7", source: "tape", wallClock: Road.start)
        #expect(Array(replayed) == expected)
        #expect(expected.count > 1)
        // In two steps, too: the pipeline itself, fix by fix.
        var pipeline = TrackPipeline(configuration, timeBase: .fixTime)
        var records: [RecordDraft] = []
        pipeline.replay(fixes, wallClock: Road.start) { fix, decision in
            if case .record(let plan) = decision {
                records.append(plan.draft(of: fix, device: "van-7", source: "tape"))
            }
        }
        #expect(records == expected)
    }

    /// 10 m/s for half a minute, then a rest of which two fixes tell.
    private static let drive: [Fix] =
        (0...30).map { Road.fix(Double($0), metres: Double($0) * 10) }
        + [Road.fix(80, metres: 300), Road.fix(200, metres: 300)]

    @Test
    func `a timer falls due between two fixes, and what is undecided is decided at the end`() {
        #expect(Self.drive.track(.calmGeo).contains { $0.cause == .still && $0.fix.time < Road.fix(200).time })
        var configuration = RecordingConfiguration.calmGeo
        configuration.record = .deviation
        configuration.maximumInterval = .zero
        let records = Array(Self.drive.prefix(31).track(configuration))
        #expect(records.map(\.fix.time) == [Road.fix(0).time, Road.fix(30).time])
    }

    @Test
    func `nothing is read ahead: a track without an end gives its first records`() {
        var taken = 0
        let endless = sequence(first: 0) { $0 + 1 }.lazy.map { (second: Int) -> Fix in
            taken += 1
            return Road.fix(Double(second), metres: Double(second) * 10)
        }
        var records = endless.track(.calmGeo).makeIterator()
        #expect(records.next()?.cause == .first)
        #expect(taken == 1)
        #expect(records.next()?.cause == .distance)
        #expect(taken == 3)  // 16 m
    }

    @Test
    func `decisions name each fix once, rejected ones with the reason`() {
        var (records, reasons) = (0, [RejectionReason: Int]())
        for (_, decision) in Self.drive.track(.calmGeo).decisions {
            switch decision {
            case .record: records += 1
            case .reject(let reason): reasons[reason, default: 0] += 1
            case .undecided, .standby: break
            }
        }
        #expect(records == Array(Self.drive.track(.calmGeo)).count)
        #expect(reasons.values.reduce(0, +) >= Self.drive.count - records)
        #expect(Set(reasons.keys) == [.tooNear, .standby])
    }
}
