import Synchronization
import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

@Suite struct TrackerEventTests {
    @Test func `an event is a record of its own, after the position at which it was found`() async throws {
        let sink = KindSink(.all)
        let harness = try TrackerHarness(sinks: [SinkBinding(sink)], detector: RestingDetector()) { $0.neverRest() }
        try await harness.run {
            for second in 0..<10 {
                try await harness.source.feed(Road.fix(Double(second), metres: 100 * Double(second)))
            }
        }
        let records = try await harness.store.records(after: .zero, limit: 100)
        #expect(records.map(\.kind.name) == Array(repeating: "location", count: 10) + ["transition"])
        #expect(records.last?.fix == Road.fix(9, metres: 900))
        #expect(records.last?.cause == .detected)
        #expect(Set(records.map(\.id)).count == 11)
        #expect(sink.taken.map(\.kind).last == .transition)
    }

    @Test func `what falls due by time alone is found without another fix`() async throws {
        let harness = try TrackerHarness(detector: RestingDetector()) { $0.neverRest() }
        try await harness.run {
            try await harness.source.feed(Road.fix(0))
            try await harness.letTimePass(until: "the dwell") { try await harness.stored().count == 2 }
            #expect(harness.clock.now.offset >= .seconds(60))
        }
        #expect(try await harness.kinds() == ["location", "transition"])
    }

    @Test func `in a recording time passes between its fixes`() async throws {
        let harness = try TrackerHarness(source: FedSource(timeBase: .fixTime), detector: RestingDetector()) {
            $0.neverRest()
        }
        try await harness.run {
            try await harness.source.feed(Road.fix(0), Road.fix(59, metres: 5), Road.fix(300, metres: 500))
        }
        let records = try await harness.store.records(after: .zero, limit: 100)
        #expect(records.map(\.kind.name) == ["location", "location", "transition"])
        #expect(records.last?.fix == Road.fix(59, metres: 5))
    }

    @Test func `a sink gets the kinds that it carries, and the others are settled without a request`() async throws {
        let (places, everything) = (KindSink(.location, id: "places"), KindSink(.all, id: "everything"))
        let harness = try TrackerHarness(
            sinks: [SinkBinding(places), SinkBinding(everything)], detector: RestingDetector()
        ) { $0.neverRest() }
        try await harness.run {
            for second in 0..<20 {
                try await harness.source.feed(Road.fix(Double(second), metres: 100 * Double(second)))
            }
            await harness.tracker.sync()
            #expect(await harness.sync("places").queued == 0)
            #expect(await harness.sync("places").delivered == 20)
            #expect(await harness.sync("places").passedOver == 2)
            #expect(await harness.sync("everything").delivered == 22)
            #expect(await harness.sync("everything").passedOver == 0)
        }
        #expect(places.taken.allSatisfy { $0.kind == .location })
        #expect(everything.taken.map(\.sequence.rawValue) == Array(1...22))
    }

    @Test func `a sink that carries no position is never called for one`() async throws {
        let events = KindSink([.transition], id: "events")
        let harness = try TrackerHarness(sinks: [SinkBinding(events)], detector: RestingDetector()) { $0.neverRest() }
        try await harness.run {
            for second in 0..<10 {
                try await harness.source.feed(Road.fix(Double(second), metres: 100 * Double(second)))
            }
            await harness.tracker.sync()
        }
        #expect(events.taken.map(\.kind) == [.transition])
    }

    @Test func `a detector goes on over a crash and over a stop, and observes nothing twice`() async throws {
        let store = InMemoryFixStore()
        let drive = (0..<15).map { Road.fix(Double($0), metres: Double($0) * 100, speed: 10) }
        for end in [4, 8] {
            let harness = try TrackerHarness(
                store: store, source: FedSource(timeBase: .fixTime), detector: RestingDetector())
            try await harness.crash {
                try await harness.source.output().emit(contentsOf: Array(drive[(end - 4)..<end]))
            }
        }
        let stopped = try TrackerHarness(store: store, detector: RestingDetector()) { $0.neverRest() }
        try await stopped.run { try await stopped.source.feed(drive[8]) }
        #expect(try await store.detectorStates()["fed"]?.last == 9)
        let last = try TrackerHarness(store: store, detector: RestingDetector()) { $0.neverRest() }
        try await last.run { try await last.source.feed(drive[9]) }
        #expect(try await last.kinds().last == "transition")
    }

    @Test func `a state of the release before is read, and one that is none begins anew`() async throws {
        let time = withUnsafeBytes(of: Road.fix(0).time.nanosecondsSince1970.littleEndian) { Array($0) }
        for (bytes, isRead) in [(time + Array(repeating: 0, count: 8) + [9], true), ([1, 2, 3], false)] {
            let store = InMemoryFixStore()
            let fix = Road.fix(0)
            let draft = RecordDraft(
                id: RecordID(device: "van-7", source: "fed", fix: fix, cause: .first), fix: fix, isMoving: true,
                cause: .first, source: "fed")
            _ = try await store.append(
                [draft],
                checkpoint: SourceCheckpoint(
                    source: "fed", last: draft, lastMovement: fix.time, isStandby: false, detectorState: bytes))
            let harness = try TrackerHarness(store: store, detector: RestingDetector()) { $0.neverRest() }
            try await harness.run { try await harness.source.feed(Road.fix(1, metres: 100)) }
            #expect(try await harness.kinds().contains("transition") == isRead)
        }
    }

    @Test func `a restart begins no leg: what was under way goes on`() async throws {
        let store = InMemoryFixStore()
        for (first, isFirst) in [(0, true), (100, false)] {
            let legs = LegCounter()
            let harness = try TrackerHarness(store: store, detector: legs) { $0.neverRest() }
            try await harness.run {
                try await harness.source.feed(Road.fix(Double(first), metres: Double(first)))
                try await harness.source.feed(Road.fix(Double(first) + 1, metres: Double(first) + 100))
            }
            #expect(legs.count == (isFirst ? 1 : 0))
        }
    }

    @Test func `a pause begins a leg`() async throws {
        let legs = LegCounter()
        let harness = try TrackerHarness(detector: legs) { $0.neverRest() }
        try await harness.run {
            try await harness.source.feed(Road.fix(0))
            await harness.tracker.pause()
            await harness.tracker.resume()
            try await harness.source.feed(Road.fix(10, metres: 500))
        }
        #expect(legs.count == 2)
    }

    @Test func `what is hidden from now on is not known any more, and what found events by it begins anew`()
        async throws
    {
        let cover = SwitchedCover()
        let harness = try TrackerHarness(detector: RestingDetector(), cover: cover) { $0.neverRest() }
        try await harness.run {
            try await harness.source.feed(Road.fix(0))
            cover.hides()
            await harness.tracker.coverChanged()
            #expect(try await harness.tracker.currentFix(recording: true) == nil)
            #expect(await harness.tracker.status().sources.first?.latest == nil)
            for second in 1...90 {
                harness.clock.advance(by: .seconds(1))
                try await harness.source.feed(Road.fix(Double(second)))
            }
            #expect(await harness.tracker.status().sources.first?.rejections(.hidden) == 90)
        }
        #expect(try await harness.kinds() == ["location"])
    }

    @Test func `a restart under another cover forgets the place and what was found by it`() async throws {
        let store = InMemoryFixStore()
        let first = try TrackerHarness(store: store, detector: RestingDetector()) { $0.neverRest() }
        try await first.crash {
            for second in 0..<9 { try await first.source.feed(Road.fix(Double(second), metres: 100 * Double(second))) }
        }
        let cover = SwitchedCover(signature: 7)
        cover.hides()
        let second = try TrackerHarness(store: store, detector: RestingDetector(), cover: cover) { $0.neverRest() }
        try await second.run {
            _ = await second.source.output()
            #expect(await second.tracker.status().sources.first?.latest == nil)
            let known = try await second.tracker.currentFix(recording: true)
            #expect(known == nil)
            second.clock.advance(by: .seconds(300))
        }
        let under = try await second.kinds()
        #expect(under.allSatisfy { $0 == "location" })
        let third = try TrackerHarness(
            store: store, detector: RestingDetector(), cover: SwitchedCover(signature: 8)
        ) { $0.neverRest() }
        try await third.run { try await third.source.feed(Road.fix(400, metres: 5000)) }
        let kinds = try await third.kinds()
        #expect(kinds.allSatisfy { $0 == "location" }, "the tenth fix for a detector that knew nine")
    }

    @Test func `in a pause time lets nothing fall due`() async throws {
        let harness = try TrackerHarness(detector: RestingDetector()) { $0.neverRest() }
        try await harness.run {
            try await harness.source.feed(Road.fix(0))
            await harness.tracker.pause()
            for _ in 0..<300 { harness.clock.advance(by: .seconds(1)) }
            let kinds = try await harness.kinds()
            #expect(kinds == ["location"])
            await #expect(throws: TrackerError.paused) { try await harness.tracker.perform(.stopTrip) }
            await harness.tracker.resume()
        }
        #expect(try await harness.kinds() == ["location"])
    }

    @Test func `of a batch after a pause the first fix alone begins a leg`() async throws {
        let legs = LegCounter()
        let harness = try TrackerHarness(detector: legs) { $0.neverRest() }
        try await harness.run {
            try await harness.source.feed(Road.fix(0))
            await harness.tracker.pause()
            await harness.tracker.resume()
            try await harness.source.feed(
                Road.fix(10, metres: 500), Road.fix(11, metres: 501), Road.fix(12, metres: 502))
        }
        #expect(legs.count == 2)
    }

    @Test func `another recording has its events, though an earlier run observed later fixes`() async throws {
        let store = InMemoryFixStore()
        for start in [1000, 0] {
            let fixes = (0..<10).map { Road.fix(Double(start + $0), metres: Double($0) * 100, speed: 10) }
            let tracker = try Tracker.make(store: store, sources: [ListedRecording(fixes)]) {
                $0.detector = RestingDetector()
            }
            try await tracker.run(until: .sourcesFinished)
        }
        let kinds = try await store.records(after: .zero, limit: 100).map(\.kind)
        #expect(kinds.count { $0 == .transition } == 2)
    }

    @Test func `an event that the store cannot take is found again when it can`() async throws {
        let store = FailingStore()
        let harness = try TrackerHarness(store: store, detector: RestingDetector()) { $0.neverRest() }
        try await harness.run {
            for second in 0..<9 {
                try await harness.source.feed(Road.fix(Double(second), metres: 100 * Double(second)))
            }
            store.fail(with: StoreError(.full, "disk full"))
            async let fed: Void = harness.source.feed(Road.fix(9, metres: 900))
            try await harness.letTimePass(until: "an attempt") { store.failures >= 1 }
            store.fail(with: nil)
            try await harness.letTimePass(until: "stored") { try await harness.stored().count == 11 }
            try await fed
        }
        #expect(try await harness.kinds().count { $0 == "transition" } == 1)
    }
}

extension TrackerHarness {
    fileprivate func kinds() async throws -> [String] {
        try await store.records(after: .zero, limit: 100).map(\.kind.name)
    }
}

/// A sink that carries some kinds of records and takes everything.
private final class KindSink: FixSink {
    let recording: RecordingSink
    let kinds: RecordKinds

    init(_ kinds: RecordKinds, id: SinkID = "kinds") {
        recording = RecordingSink(id: id)
        self.kinds = kinds
    }

    var id: SinkID { recording.id }
    var taken: [TrackRecord] { recording.records }

    func deliver(_ batch: RecordBatch) async throws(DeliveryError) -> Receipt { try await recording.deliver(batch) }
}

/// Counts the legs that a detector is shown.
private final class LegCounter: EventDetector {
    private let legs = Mutex(0)

    var count: Int { legs.withLock { $0 } }

    func observe(_ observed: DetectorFix, report: (DetectorEvent) -> Void) {
        if observed.beginsLeg { legs.withLock { $0 += 1 } }
    }

    func pass(to time: Timestamp, report: (DetectorEvent) -> Void) {}
    var deadline: Timestamp? { nil }
    var state: [UInt8] { [] }
    func resume(from state: [UInt8]) -> Bool { true }
}

/// Hides everything once it is told to.
private final class SwitchedCover: PrivacyFilter {
    private let isHiding = Mutex(false)
    let signature: UInt64

    init(signature: UInt64 = 0) { self.signature = signature }

    func hides() { isHiding.withLock { $0 = true } }

    func covered(_ fix: Fix) -> Fix? { isHiding.withLock { $0 } ? nil : fix }
}

/// A recording in memory.
private struct ListedRecording: RecordedSource {
    let id: SourceID = "listed"
    let timeBase = TimeBase.fixTime
    let fixes: [Fix]

    init(_ fixes: [Fix]) { self.fixes = fixes }

    func run(_ output: FixOutput) async throws { try await output.emit(contentsOf: fixes) }

    func run(_ output: FixOutput, after fix: Fix) async throws {
        try await output.emit(contentsOf: fixes.filter { $0.time > fix.time })
    }

    func holds(_ fix: Fix) async throws -> Bool { fixes.contains(fix) }
}
