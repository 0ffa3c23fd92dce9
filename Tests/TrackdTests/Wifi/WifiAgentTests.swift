import Foundation
import Logging
import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent

/// An agent in wireless networks that the test makes up.
@Suite(.timeLimit(.minutes(30))) struct WifiAgentTests {
    private static let depot = Coordinate(latitude: 53.512345678, longitude: -10.123456789)
    private static let zone = "{name: Depot, ssid: depot, latitude: 53.512345678, longitude: -10.123456789}"
    private static let vehicle = "sources: [{type: simulated, rate: 10}]\ntracking: {distanceFilter: 0}\n"

    @Test func `in a zone records lie at its point, and outside of it they go on where the receiver says`() async throws
    {
        try await Self.withAgent("wifi: {zones: [\(Self.zone)]}\n") { agent, reader, _ in
            var records = agent.tracker.records().makeAsyncIterator()
            let inside = try #require(await records.next())
            #expect(inside.fix.coordinate == Self.depot && inside.fix.horizontalAccuracy == 20)
            #expect(inside.fix.altitude == nil && inside.fix.speed == nil && inside.fix.satellitesUsed == nil)
            #expect(inside.host?.wifi?.ssid == "DEPOT")
            let status = await agent.status()
            #expect(status.wifi.words == "DEPOT (02:00:5e:10:00:01), zone Depot")
            reader.set(.disconnected)
            for _ in 0..<2 { await agent.wifi.look() }
            var outside: [TrackRecord] = []
            while outside.count < 5, let record = await records.next() {
                if record.fix.coordinate != Self.depot { outside.append(record) }
            }
            #expect(outside.first?.cause == .resumed && outside.last?.cause == .distance)
            #expect(outside.allSatisfy { $0.host?.wifi == nil && $0.fix.speed != nil })
            #expect(await agent.status().wifi.words == "not connected")
        }
    }

    @Test func `a reload begins and ends zones and readings while the track goes on`() async throws {
        try await Self.withAgent("") { agent, reader, folder in
            var records = agent.tracker.records(bufferingNewest: 100_000).makeAsyncIterator()
            #expect(await records.next()?.host?.wifi == nil)
            #expect(reader.asked == [])
            let loader = ConfigurationReader(
                file: folder + "/trackd.yaml", environment: [:], stateDirectory: folder + "/state")
            let reload = AgentReload(
                agent, loader: loader, level: LogLevel(.info), logger: CollectedLog().logger)
            try RunningAgent.write(Self.yaml("wifi: {zones: [\(Self.zone)]}\n", folder), folder)
            await reload.reload()
            await agent.wifi.look()
            let inside = try #require(await Self.next(&records) { $0.fix.coordinate == Self.depot })
            #expect(inside.cause == .resumed && inside.host?.wifi?.ssid == "DEPOT")
            try RunningAgent.write(Self.yaml("", folder), folder)
            await reload.reload()
            let outside = try #require(await Self.next(&records) { $0.fix.coordinate != Self.depot })
            #expect(outside.cause == .resumed && outside.host?.wifi == nil)
            #expect(agent.wifi.reading == .unread)
            #expect((outside.odometer ?? 0) >= (inside.odometer ?? .infinity), "the odometer goes on")
        }
    }

    @Test func `a network is neither recorded nor shown where a place is hidden`() async throws {
        let hidden =
            "events: {places: [{name: Hidden, privacy: blur, latitude: 53.5, longitude: -10, radius: 100000}]}\n"
        try await Self.withAgent(hidden + "wifi: {read: true, zones: [\(Self.zone)]}\n") { agent, _, _ in
            var records = agent.tracker.records().makeAsyncIterator()
            let record = try #require(await records.next())
            #expect(record.fix.coordinate != Self.depot && record.host?.wifi == nil)
            #expect(abs(record.fix.coordinate.latitude - Self.depot.latitude) < 0.02, "the middle of the zone's cell")
            #expect(await agent.status().wifi.words == nil)
        }
    }

    private static func next(
        _ records: inout AsyncStream<TrackRecord>.Iterator, where isWanted: (TrackRecord) -> Bool
    ) async -> TrackRecord? {
        while let record = await records.next() { if isWanted(record) { return record } }
        return nil
    }

    private static func yaml(_ more: String, _ folder: String) -> String {
        vehicle + "store: {path: \(folder)/state}\ncontrol: {socket: null}\n" + more
    }

    /// Runs an agent in the network `DEPOT` while `body` does.
    private static func withAgent(
        _ more: String, _ body: @Sendable @escaping (AgentRuntime, FedReader, String) async throws -> Void
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try RunningAgent.write(yaml(more, folder), folder)
            let loader = ConfigurationReader(
                file: folder + "/trackd.yaml", environment: [:], stateDirectory: folder + "/state")
            let network = try #require(WifiNetwork(ssid: "DEPOT", bssid: BSSID("02:00:5e:10:00:01")))
            let reader = FedReader(.connected(network))
            let agent = try await AgentRuntime.assemble(
                loader.load(), loader: loader, logger: CollectedLog().logger, readWifi: { reader.read($0) })
            do {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await agent.tracker.run() }
                    try await body(agent, reader, folder)
                    group.cancelAll()
                    try await group.waitForAll()
                }
            } catch is CancellationError {
                // The tracker, which was cancelled.
            } catch {
                await agent.close()
                throw error
            }
            await agent.close()
        }
    }
}
