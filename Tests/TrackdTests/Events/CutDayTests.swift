import Synchronization
import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineTestKit

/// A recorded day on which the agent is killed at any fix: the events are those of an undisturbed run, with all their figures.
@Suite("A recorded day that is cut", .timeLimit(.minutes(15))) struct CutDayTests {
    /// A recording in memory that can be read up to a fix, behind which nothing comes any more.
    private struct Recording: RecordedSource {
        let id: SourceID = "day"
        let timeBase = TimeBase.fixTime
        let fixes: [Fix]
        var end: Int?
        let isCut = WakeSignal()

        func run(_ output: FixOutput) async throws { try await run(output, from: 0) }

        func run(_ output: FixOutput, after fix: Fix) async throws {
            try await run(output, from: fixes.firstIndex(of: fix).map { $0 + 1 } ?? 0)
        }

        func holds(_ fix: Fix) async throws -> Bool { fixes.contains(fix) }

        private func run(_ output: FixOutput, from first: Int) async throws {
            for fix in fixes[min(first, end ?? fixes.count)..<(end ?? fixes.count)] { try await output.emit(fix) }
            guard end != nil else { return }
            isCut.raise()
            let never = WakeSignal()
            await never.wait()
            throw CancellationError()
        }
    }

    private static let events = """
        events:
          visits: true
          trips: true
          heartbeat: 900
          places:
            - {name: Start, latitude: 52, longitude: 13, radius: 150, dwell: 240}
            - {name: North, latitude: 52.045, longitude: 13, radius: 200}
            - {name: Passed, latitude: 52.0225, longitude: 13, radius: 60}
        """

    private static func run(_ fixes: [Fix], _ rule: String, on store: any FixStore, upTo end: Int? = nil) async throws {
        let configuration = try Given.configuration("tracking: {record: \(rule)}\n\(events)")
        let recording = Recording(fixes: fixes, end: end)
        let tracker = try Tracker.make(store: store, sources: [recording]) {
            $0.recording = configuration.tracking
            $0.detector = try configuration.events.makeDetector(of: "van-7")
        }
        guard end != nil else { return try await tracker.run(until: .sourcesFinished) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await tracker.run() }
            await recording.isCut.wait()
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    /// The events, and where and when they were found.
    private static func found(_ store: any FixStore) async throws -> [String] {
        try await store.records(after: .zero, limit: 100_000).filter { $0.kind != .location }.map {
            "\($0.fix.time) \($0.content)"
        }
    }

    @Test(arguments: ["distance", "deviation"])
    func `changes no event`(_ rule: String) async throws {
        let fixes = CutDay().fixes
        let undisturbed = InMemoryFixStore()
        try await Self.run(fixes, rule, on: undisturbed)
        let expected = try await Self.found(undisturbed)
        #expect(expected.count > 20)
        var different = 0
        for cut in 1..<fixes.count {
            let store = InMemoryFixStore()
            try await Self.run(fixes, rule, on: store, upTo: cut)
            try await Self.run(fixes, rule, on: store)
            let found = try await Self.found(store)
            guard found != expected else { continue }
            different += 1
            let odd = zip(found, expected).first { $0 != $1 }
            if different <= 5 {
                Issue.record(
                    "cut at \(cut), \(fixes[cut].time): \(found.count) events and not \(expected.count): \(String(describing: odd))"
                )
            }
        }
        #expect(different == 0, "of \(fixes.count - 1) cuts")
    }

    @Test func `a clock that steps back after a kill loses no stay`() async throws {
        var day = CutDay(parts: [])
        day.rest(600, each: 20)
        day.go(10, seconds: 240, each: 10)
        let before = day.fixes.count
        day.step(-7_200)
        day.rest(900, each: 20)
        day.go(10, seconds: 240, each: 10)
        // When the gates believe the earlier times is not the same after a kill; the stay of then is found all the same.
        let first = try #require(day.fixes.first).time
        for cut in max(before - 6, 1)...before + 6 {
            let store = InMemoryFixStore()
            try await Self.run(day.fixes, "distance", on: store, upTo: cut)
            try await Self.run(day.fixes, "distance", on: store)
            let stays = try await store.records(after: .zero, limit: 10_000).compactMap { record in
                if case .visit(let visit) = record.content, visit.arrival < first { visit } else { Visit?.none }
            }
            #expect(Set(stays.map(\.id)).count == 1 && stays.last?.departure != nil, "cut at \(cut): \(stays)")
        }
    }
}

/// A day drawn by hand, with all that makes a detector remember: rest with drift, ways with speeds and without, a hill, a red light, a wild
/// fix, a tunnel, hours without a fix.
struct CutDay {
    private(set) var fixes: [Fix] = []
    private var clock: Int64 = 1_780_000_000
    private var north = 0.0
    private var altitude = 40.0
    private var count = 0
    var tellsSpeed = true

    /// The whole day.
    init() {
        rest(300, each: 20)
        go(9, seconds: 200, each: 8)
        rest(60, each: 8)
        wild()
        go(13, seconds: 120, each: 8)
        altitude = 95
        skip(90, metres: 900)
        go(12, seconds: 96, each: 8)
        rest(560, each: 16)
        tellsSpeed = false
        go(-1.4, seconds: 300, each: 12)
        rest(420, each: 30)
        skip(4_500)
        rest(120, each: 30)
        tellsSpeed = true
        go(-8, seconds: 240, each: 8)
        wild()
        rest(45, each: 9)
        skip(5_400)
        rest(300, each: 20)
        go(-11, seconds: 160, each: 8)
    }

    /// A day of which nothing is drawn yet.
    init(parts: [Never]) {}

    mutating func rest(_ seconds: Int64, each step: Int64) {
        for _ in 0..<seconds / step { emit(speed: 0, step: step) }
    }

    mutating func go(_ speed: Double, seconds: Int64, each step: Int64) {
        for _ in 0..<seconds / step {
            north += speed * Double(step)
            emit(speed: abs(speed), step: step)
        }
    }

    mutating func skip(_ seconds: Int64, metres: Double = 0) {
        clock += seconds
        north += metres
    }

    /// Sets the clock of the recording.
    mutating func step(_ seconds: Int64) { clock += seconds }

    mutating func wild() {
        let place = north
        north += 90_000
        emit(speed: nil, step: 4)
        north = place
    }

    private mutating func emit(speed: Double?, step: Int64) {
        count += 1
        let drift = Double(count * 7 % 11) - 5
        fixes.append(
            Fix(
                time: Timestamp(secondsSince1970: clock),
                coordinate: Coordinate(latitude: 52 + (north + drift / 2) / 111_264, longitude: 13 + drift / 137_000),
                altitude: altitude + drift / 3, horizontalAccuracy: 6, speed: tellsSpeed ? speed : nil))
        clock += step
    }
}
