import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// The promise of the engine on real programs: gpsd, `trackd`, an HTTP receiver.
///
/// What is compared comes from three places: what the test fed, what the agent vouched for (`export`) before each kill
/// and at the end, and what the receiver wrote to its own log before it answered.
@Suite(.serialized) struct DeliveryTests {
    @Test(.timeLimit(.minutes(30)))
    func `every fix of an undisturbed journey arrives as a record, once and in order`() async throws {
        try await withSystem { system in
            try await system.startAndConnect()
            try await system.drive(steps: 60)
            let arrivals = try await system.settle()
            #expect(arrivals.map(\.time) == system.journey.steps.map(\.time))
            #expect(zip(arrivals, system.journey.steps).allSatisfy { abs($0.latitude - $1.degrees) < 1e-6 })
            #expect(try system.receiver.records().count == 60, "nothing came twice")
            #expect(await system.agent.stop() == 0)
        }
    }

    /// The sinks that take this way.
    enum Way: String, CaseIterable, Sendable {
        case overland, template

        /// The keys of the sink.
        func keys(_ url: String) -> String {
            switch self {
            case .overland: #"type: overland, url: "\#(url)", timestamps: milliseconds"#
            case .template:
                #"type: http, url: "\#(url)", success: {path: result, value: ok}, body: '{"locations": %{records}}', "#
                    + #"record: '{"geometry": {"coordinates": [%{longitude}, %{latitude}]}, "properties": "#
                    + #"{"timestamp": "%{time:isoMilliseconds}", "record_id": "%{id}"}}'"#
            }
        }
    }

    @Test(.timeLimit(.minutes(30)), arguments: Way.allCases)
    func `22 kills, two gpsd crashes and a receiver that fails and loses replies lose and invent nothing`(_ way: Way)
        async throws
    {
        try await withSystem(way) { system in
            var chance = SplitMix(seed: 20_260_301)
            try await system.startAndConnect()
            try await system.drive(steps: 10)
            let vouched = try await system.driveThroughKills(22, longest: 25, &chance) {
                try await system.disturb($0)
            }
            try system.receiver.setInput("ok")
            try await system.waitUntilConnected()
            try await system.drive(steps: 30)
            let arrivals = try await system.settle()
            let stored = try await system.agent.stored()

            #expect(arrivals.map(\.id) == stored.map(\.id), "nothing lost, nothing invented, in order of acceptance")
            #expect(vouched.subtracting(arrivals.map(\.id)).isEmpty, "nothing forgotten that was once accepted")
            #expect(vouched.count > 100, "the agent has vouched for something")
            let fed = Dictionary(uniqueKeysWithValues: system.journey.steps.map { ($0.time, $0.degrees) })
            #expect(arrivals.allSatisfy { abs((fed[$0.time] ?? .nan) - $0.latitude) < 1e-6 }, "every record was fed")
            #expect(Set(arrivals.map(\.time)).count == arrivals.count, "no fix under two ids")
            #expect(arrivals.suffix(25).map(\.time) == system.journey.steps.suffix(25).map(\.time), "the end is whole")
            let everything = try system.receiver.records()
            #expect(everything.count > arrivals.count, "lost replies have made duplicates")
            let contents = Dictionary(grouping: everything, by: \.id).mapValues { Set($0.map(\.json)).count }
            #expect(contents.values.allSatisfy { $0 == 1 }, "a duplicate is the same record")
            #expect(await system.agent.stop() == 0)
        }
    }

    /// Real receivers' logs, where they are at hand: what the agent stores and what arrives is the same.
    @Test(.timeLimit(.minutes(30)), arguments: ["ublox-lea-4h.log", "nmea-rtk.log", "paris.nmea"])
    func `a recorded log arrives as it is stored`(_ name: String) async throws {
        guard let path = TestEnvironment.corpus("gpsd/" + name) else { return }
        try await withSystem { system in
            try await system.startAndConnect()
            let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
            for line in text.split(whereSeparator: \.isNewline).prefix(900) where line.hasPrefix("$") {
                system.gpsd.feed(String(line))
                try await Task.sleep(for: .milliseconds(4))  // a receiver's pace, which gpsd needs to tell epochs
            }
            await eventually("a fix has arrived") { await system.agent.fixes() > 0 }
            let arrivals = try await system.settle()
            let stored = try await system.agent.stored()
            #expect(!stored.isEmpty)
            #expect(arrivals.map(\.id) == stored.map(\.id))
            #expect(zip(arrivals, stored).allSatisfy { abs($0.latitude - $1.latitude) < 1e-6 })
        }
    }

    private func withSystem(_ way: Way = .overland, _ body: (SystemUnderTest) async throws -> Void) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let gpsd = try await GPSDaemon()
            let receiver = try await ReceiverProcess(log: folder + "/receiver.log")
            let sink = """
                {name: home, \(way.keys(receiver.url("/input"))), \
                syncThreshold: 3, maxBatchSize: 20, backoff: {maximum: 1}}
                """
            let agent = try AgentUnderTest(folder: folder, gpsd: gpsd.port, sink: sink)
            try await body(SystemUnderTest(gpsd: gpsd, receiver: receiver, agent: agent))
        }
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014), so that a failing run can be repeated.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
