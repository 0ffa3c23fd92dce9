import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineTestKit

/// Signs of life and a schedule that turns tracking off.
@Suite(.timeLimit(.minutes(30))) struct OffHeartbeatTests {
    /// The bench begins at 17:00; from 18:00 to 08:00 tracking is off.
    private static let yaml = """
        tracking: {distanceFilter: 16, stillAfter: 0, standbyAfter: 0}
        events: {heartbeat: 900}
        profiles:
          schedule: {zone: UTC, windows: [{from: 08:00, to: 18:00, tracking: normal}], outside: %}
        """

    private static func with(
        outside: String, _ store: any FixStore, shift: Duration = .zero,
        _ body: @Sendable @escaping (ProfileBench) async throws -> Void
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let text = yaml.replacing("%", with: outside)
            let bench = try ProfileBench(text, in: folder, store: store, shift: shift)
            try await bench.run { try await body(bench) }
        }
    }

    /// When heartbeats say that the object is where it is, in seconds after 17:00: those that are stored, and those that were
    /// delivered and may have been removed.
    private static func heartbeats(_ bench: ProfileBench) async throws -> [Int64] {
        let records = try await bench.store.records(after: .zero, limit: 1000) + bench.sink.records
        let times = records.filter { $0.kind == .heartbeat }
            .map { $0.fix.time.duration(since: ProfileBench.start).components.seconds }
        return Set(times).sorted()
    }

    /// Runs until 17:20 with one heartbeat, and ends as with a kill.
    private static func afternoon(outside: String, _ store: any FixStore) async throws {
        try await with(outside: outside, store) { bench in
            try await bench.feed(metres: 0)
            await eventually("a heartbeat of 17:15") {
                bench.clock.advance(by: .seconds(60))
                return (try? await heartbeats(bench)) == [910]
            }
        }
    }

    @Test func `after a restart while the schedule says off no heartbeat tells of a position then`() async throws {
        let store = InMemoryFixStore()
        try await Self.afternoon(outside: "off", store)
        // From 19:00 on; heartbeats would be due all the time.
        try await Self.with(outside: "off", store, shift: .seconds(7200)) { bench in
            #expect(bench.keeper.standing?.resolution.profile == .off)
            try await bench.source.feed(ProfileBench.fix(7200, metres: 300))
            await bench.clock.sleepers(atLeast: 1)
            for hour in 1...12 {
                bench.clock.advance(by: .seconds(3600))
                try await bench.source.feed(ProfileBench.fix(7200 + Int64(hour) * 3600, metres: 300))
            }
            #expect(await bench.rejected(.off) == 13)
            let meanwhile = try await Self.heartbeats(bench)
            #expect(Set(meanwhile).isSubset(of: [910]), "\(meanwhile)")
            await bench.holds("normal because schedule 08:00 to 18:00", passing: .seconds(60))
            let morning = try await Self.heartbeats(bench)
            #expect(Set(morning).isSubset(of: [910]), "where it is now is not known yet: \(morning)")
            let now = 7200 + bench.clock.now.offset.components.seconds
            try await bench.source.feed(ProfileBench.fix(now, metres: 300))
            let told = try await Self.heartbeats(bench)
            #expect(told.allSatisfy { $0 < 3600 || $0 >= 15 * 3600 }, "\(told)")
        }
    }

    @Test func `after a restart while tracking goes on heartbeats go on with the first fix`() async throws {
        let store = InMemoryFixStore()
        try await Self.afternoon(outside: "normal", store)
        try await Self.with(outside: "normal", store, shift: .seconds(7200)) { bench in
            try await bench.source.feed(ProfileBench.fix(7200, metres: 0))
            await eventually("heartbeats go on") {
                bench.clock.advance(by: .seconds(60))
                return (try? await Self.heartbeats(bench))?.contains { $0 > 7200 } == true
            }
        }
    }

    /// The last fix before tracking is off is of 17:59: a heartbeat falls due at 18:14.
    @Test(arguments: [false, true])
    func `a heartbeat that fell due while tracking was off is not told afterwards`(_ isRestarted: Bool) async throws {
        let store = InMemoryFixStore()
        let morning: @Sendable (ProfileBench) async throws -> Void = { bench in
            await bench.holds("normal because schedule 08:00 to 18:00")
            try await bench.source.feed(ProfileBench.fix(15 * 3600 + 60, metres: 300))
            let told = try await Self.heartbeats(bench)
            #expect(told.allSatisfy { $0 < 3600 || $0 >= 15 * 3600 }, "\(told)")
        }
        try await Self.with(outside: "off", store) { bench in
            try await bench.feed(after: 3540, metres: 0)
            #expect(try await bench.metres() == [0])
            guard !isRestarted else { return }
            await bench.holds("off because schedule, outside of its windows", passing: .seconds(30))
            await bench.holds("normal because schedule 08:00 to 18:00", passing: .seconds(1800))
            try await morning(bench)
        }
        guard isRestarted else { return }
        try await Self.with(outside: "off", store, shift: .seconds(15 * 3600 + 60), morning)
    }
}
