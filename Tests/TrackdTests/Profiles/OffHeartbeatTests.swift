import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineTestKit

/// Signs of life and a schedule that turns tracking off.
@Suite(.timeLimit(.minutes(3))) struct OffHeartbeatTests {
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

    /// When heartbeats say that the object is where it is, in seconds after 17:00.
    private static func heartbeats(_ store: any FixStore) async throws -> [Int64] {
        try await store.records(after: .zero, limit: 1000).filter { $0.kind == .heartbeat }
            .map { $0.fix.time.duration(since: ProfileBench.start).components.seconds }
    }

    /// Runs until 17:20 with one heartbeat, and ends as with a kill.
    private static func afternoon(outside: String, _ store: any FixStore) async throws {
        try await with(outside: outside, store) { bench in
            try await bench.feed(metres: 0)
            await eventually("a heartbeat of 17:15") {
                bench.clock.advance(by: .seconds(60))
                return (try? await heartbeats(store)) == [910]
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
            #expect(try await Self.heartbeats(store) == [910])
            // At 08:00.
            bench.clock.advance(by: .seconds(3600))
            await bench.holds("normal because schedule 08:00 to 18:00")
            #expect(try await Self.heartbeats(store) == [910], "where it is now is not known yet")
            try await bench.source.feed(ProfileBench.fix(15 * 3600 + 10, metres: 300))
            let told = try await Self.heartbeats(store)
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
                return (try? await Self.heartbeats(store))?.contains { $0 > 7200 } == true
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
            let told = try await Self.heartbeats(store)
            #expect(told.allSatisfy { $0 < 3600 || $0 >= 15 * 3600 }, "\(told)")
        }
        try await Self.with(outside: "off", store) { bench in
            try await bench.feed(after: 3540, metres: 0)
            #expect(try await bench.metres() == [0])
            guard !isRestarted else { return }
            await bench.clock.sleepers(atLeast: 1)
            bench.clock.advance(by: .seconds(120))
            await bench.holds("off because schedule, outside of its windows")
            await bench.clock.sleepers(atLeast: 1)
            bench.clock.advance(by: .seconds(14 * 3600))
            try await morning(bench)
        }
        guard isRestarted else { return }
        try await Self.with(outside: "off", store, shift: .seconds(15 * 3600 + 60), morning)
    }
}
