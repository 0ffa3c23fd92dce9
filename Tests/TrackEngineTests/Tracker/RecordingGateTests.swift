import Testing
import TrackEngine
import TrackEngineTestKit

/// Tracking that is off records nothing, and delivers what waits.
@Suite struct RecordingGateTests {
    private static func harness(
        _ gate: ScriptedGate, sinks: [SinkBinding] = [], store: any FixStore = InMemoryFixStore(),
        source: FedSource = FedSource(), _ change: (inout RecordingConfiguration) -> Void = { _ in }
    ) async throws -> TrackerHarness {
        let harness = try TrackerHarness(store: store, sinks: sinks, source: source, detector: YardDetector()) {
            $0.distanceFilter = 0
            $0.neverRest()
            change(&$0)
        }
        await harness.tracker.use(gate)
        return harness
    }

    /// Drives along the road, 100 metres and a second from fix to fix.
    private static func drive(_ harness: TrackerHarness, _ hundreds: Range<Int>) async throws {
        for hundred in hundreds {
            try await harness.source.feed(Road.fix(Double(hundred), metres: Double(hundred) * 100))
        }
    }

    private static func metres(_ store: any FixStore) async throws -> [Double] {
        try await store.records(after: .zero, limit: 1000).map { YardDetector.metres(of: $0.fix) }
    }

    @Test func `a closed gate drops fixes, counts them, shows them to nobody, and sinks go on`() async throws {
        let (gate, sink) = (ScriptedGate(), RecordingSink())
        let harness = try await Self.harness(gate, sinks: [SinkBinding(sink)])
        let decisions = harness.tracker.decisions()
        try await harness.run {
            try await Self.drive(harness, 0..<3)
            gate.set(isClosed: true)
            await harness.tracker.gateChanged()
            try await Self.drive(harness, 3..<8)
            let report = await harness.tracker.status().sources.first
            #expect(report?.rejections(.off) == 5 && report?.fixes == 8 && report?.latest == nil)
            #expect(await harness.source.output().demand == .occasional(every: .seconds(30)))
            let known = try await harness.tracker.currentFix(recording: true)
            #expect(known == nil)
            await #expect(throws: TrackerError.off) { _ = try await harness.tracker.perform(.stopTrip) }
            await harness.tracker.sync()
            #expect(await harness.sync("recording").queued == 0)
            harness.clock.advance(by: .seconds(600))
            gate.set(isClosed: false)
            await harness.tracker.gateChanged()
            #expect(await harness.source.output().demand == .continuous)
            try await Self.drive(harness, 8..<10)
        }
        var shown = 0
        for await _ in decisions { shown += 1 }
        #expect(shown == 5)
        #expect(
            try await harness.stored() == [
                "0: first, moves", "1: distance, moves", "2: distance, moves", "8: resumed, moves",
                "9: distance, moves",
            ])
        let odometers = try await harness.store.records(after: .zero, limit: 10).map { $0.odometer?.rounded() }
        #expect(odometers == [0, 100, 200, 200, 300])
    }

    @Test func `a gate that is closed between two fixes needs nobody to notify the processor`() async throws {
        let gate = ScriptedGate()
        let harness = try await Self.harness(gate) { $0.record = .deviation }
        try await harness.run {
            try await Self.drive(harness, 0..<5)
            gate.set(isClosed: true)
            try await Self.drive(harness, 5..<9)
            #expect(try await Self.metres(harness.store) == [0, 400], "what was undecided is decided")
            gate.set(isClosed: false)
            try await Self.drive(harness, 9..<10)
        }
        #expect(try await harness.stored().last == "9: resumed, moves")
    }

    @Test func `a deadline finds a closed gate and ends the leg before anybody notifies the processor`() async throws {
        let gate = ScriptedGate()
        let harness = try await Self.harness(gate) {
            $0.record = .deviation
            $0.stillAfter = .seconds(60)
        }
        try await harness.run {
            try await Self.drive(harness, 0..<5)
            gate.set(isClosed: true)
            harness.clock.advance(by: .seconds(61))
            try await eventually("what was undecided is decided") { try await Self.metres(harness.store) == [0, 400] }
            gate.set(isClosed: false)
            try await Self.drive(harness, 70..<71)
        }
        #expect(try await harness.stored().last == "70: resumed, moves")
    }

    @Test func `a recording is not closed, but ends at a place`() async throws {
        let gate = ScriptedGate(isClosed: true, yardIsOff: true)
        let harness = try await Self.harness(gate, source: FedSource(timeBase: .fixTime))
        try await harness.run { try await Self.drive(harness, 0..<25) }
        let metres = try await Self.metres(harness.store)
        #expect(metres == [0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 2000, 2100, 2200, 2300, 2400])
    }

    @Test(arguments: [1, 7, 40])
    func `no position and no event of a place where tracking is off is recorded, and leaving it is seen`(_ batch: Int)
        async throws
    {
        let gate = ScriptedGate(yardIsOff: true)
        let harness = try await Self.harness(gate)
        try await harness.run {
            let fixes = (0..<40).map { Road.fix(Double($0), metres: Double($0) * 100) }
            for start in stride(from: 0, to: 40, by: batch) {
                try await harness.source.output().emit(contentsOf: Array(fixes[start..<min(start + batch, 40)]))
            }
        }
        let records = try await harness.store.records(after: .zero, limit: 100)
        #expect(records.allSatisfy { !YardDetector.metres.contains(YardDetector.metres(of: $0.fix)) })
        #expect(records.count == 30)
        #expect(records.allSatisfy { $0.kind != .transition }, "its centre would be in the event")
        #expect(records.first { $0.fix.time == Road.fix(20).time }?.cause == .resumed)
        #expect(gate.notes == (batch == 40 ? [] : [true, false]))
    }

    @Test func `inside nothing is shown, no sign of life is told, and no trip begins`() async throws {
        let gate = ScriptedGate(yardIsOff: true)
        let harness = try await Self.harness(gate)
        try await harness.run {
            try await Self.drive(harness, 0..<15)
            let report = await harness.tracker.status().sources.first
            #expect(report?.latest == nil && report?.context == nil && report?.rejections(.off) == 5)
            let known = try await harness.tracker.currentFix(recording: true)
            #expect(known == nil)
            await #expect(throws: TrackerError.off) { _ = try await harness.tracker.perform(.stopTrip) }
            for _ in 0..<300 { harness.clock.advance(by: .seconds(1)) }
            try await Self.drive(harness, 15..<16)
        }
        let kinds = try await harness.store.records(after: .zero, limit: 100).map(\.kind)
        #expect(kinds.allSatisfy { $0 == .location })
    }

    @Test(arguments: [false, true])
    func `a restart inside knows it before the first fix`(_ isStopped: Bool) async throws {
        let store = InMemoryFixStore()
        let first = try await Self.harness(ScriptedGate(yardIsOff: true), store: store)
        if isStopped {
            try await first.run { try await Self.drive(first, 0..<15) }
        } else {
            try await first.crash { try await Self.drive(first, 0..<15) }
        }
        let gate = ScriptedGate(yardIsOff: true)
        let second = try await Self.harness(gate, store: store)
        try await second.run {
            _ = await second.source.output()
            #expect(gate.notesAtStart == [true])
            #expect(await second.tracker.status().sources.first?.latest == nil)
            try await Self.drive(second, 15..<23)
        }
        let metres = try await Self.metres(store)
        #expect(metres == [0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 2000, 2100, 2200])
        let begin = try await store.records(after: .zero, limit: 100).first { $0.fix.time == Road.fix(20).time }
        #expect(begin?.cause == .resumed)
    }

    @Test func `a restart into a closed gate begins no old leg`() async throws {
        let store = InMemoryFixStore()
        let first = try await Self.harness(ScriptedGate(), store: store)
        try await first.crash { try await Self.drive(first, 0..<5) }
        let gate = ScriptedGate(isClosed: true)
        let second = try await Self.harness(gate, store: store)
        try await second.run {
            try await Self.drive(second, 5..<7)
            #expect(await second.tracker.status().sources.first?.latest == nil)
            gate.set(isClosed: false)
            try await Self.drive(second, 7..<8)
        }
        #expect(try await second.stored().last == "7: resumed, moves")
    }

    @Test func `a place where tracking is off from now on hides where the object is`() async throws {
        let gate = ScriptedGate()
        let harness = try await Self.harness(gate)
        try await harness.run {
            try await Self.drive(harness, 0..<12)
            gate.set(yardIsOff: true)
            await harness.tracker.gateChanged()
            #expect(await harness.tracker.status().sources.first?.latest == nil)
            try await Self.drive(harness, 12..<14)
            gate.set(yardIsOff: false)
            await harness.tracker.gateChanged()
            try await Self.drive(harness, 14..<16)
        }
        let kept = try await harness.stored().filter { !$0.contains("detected") }
        #expect(kept.suffix(3) == ["11: distance, moves", "14: resumed, moves", "15: distance, moves"])
    }
}

extension RecordingGateTests {
    @Test func `where tracking is off from now on, what is undecided of the place is not recorded`() async throws {
        let gate = ScriptedGate()
        let harness = try await Self.harness(gate) {
            $0.record = .deviation
            $0.maximumDeviation = 50
        }
        try await harness.run {
            try await Self.drive(harness, 0..<15)  // straight on, so that all but the first are undecided
            gate.set(yardIsOff: true)
            await harness.tracker.gateChanged()
            try await harness.tracker.reconfigure(await harness.tracker.configuration.recording)
        }
        let positions = try await harness.store.records(after: .zero, limit: 100).filter { $0.kind == .location }
        #expect(positions.map { YardDetector.metres(of: $0.fix) } == [0])
    }

    @Test func `a fix at such a place that the gates refuse is shown to nobody, and ends no leg`() async throws {
        let harness = try await Self.harness(ScriptedGate(yardIsOff: true)) { $0.minimumAccuracy = 50 }
        let decisions = harness.tracker.decisions()
        try await harness.run {
            try await Self.drive(harness, 0..<2)
            try await harness.source.feed(Road.fix(2, metres: 1500, accuracy: 80))
            try await Self.drive(harness, 3..<4)
        }
        for await decision in decisions {
            if case .rejected(let fix, _, _) = decision { #expect(YardDetector.metres(of: fix) < 1000) }
        }
        #expect(try await harness.stored().last == "3: distance, moves")
        #expect(try await Self.metres(harness.store) == [0, 100, 300])
    }
}
