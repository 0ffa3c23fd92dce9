import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory
import TrackEngineServer
import TrackEngineTestKit

/// One token that sends for many devices.
@Suite("Gateways", .timeLimit(.minutes(30)))
struct GatewayTests {
    /// Sends one point of each of some devices; returns the status.
    static func send(_ devices: [String], with token: String, to bench: ServerBench) async throws -> Int {
        let features = devices.map { device in
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[9.98,53.55]},"#
                + #""properties":{"timestamp":"2026-03-01T10:00:00Z","device_id":"\#(device)"}}"#
        }
        return try await bench.send(
            "POST", "/dump?token=\(token)", body: #"{"locations":[\#(features.joined(separator: ","))]}"#
        ).status
    }

    /// What a server that was started anew would know.
    private static func gateways(_ bench: ServerBench) async throws -> [DeviceID: DeviceID] {
        let directory = bench.access.path.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        return try await GatewayTable(in: directory).gateways(in: bench.history)
    }

    @Test func `A gateway writes under no name of another one, until that is removed`() async throws {
        try await ServerBench.with { bench in
            let (one, two) = try (bench.token(of: "one", isGateway: true), bench.token(of: "two", isGateway: true))
            #expect(try await Self.send(["van"], with: one, to: bench) == 200)
            #expect(try await Self.send(["van", "bus"], with: two, to: bench) == 200)
            #expect(try await bench.send("GET", "/api/rejected?key=\(bench.key)").body.contains(#""total":1"#))
            #expect(try await Self.gateways(bench) == ["van": "one", "bus": "two"])
            #expect(try bench.access.remove("one"))
            #expect(try await Self.send(["van"], with: two, to: bench) == 200)
            #expect(try await Self.gateways(bench) == ["van": "two", "bus": "two"])
        }
    }

    @Test func `A gateway that is one no longer keeps no name from the others`() async throws {
        try await ServerBench.with { bench in
            let (one, two) = try (bench.token(of: "one", isGateway: true), bench.token(of: "two", isGateway: true))
            #expect(try await Self.send(["van"], with: one, to: bench) == 200)
            #expect(try bench.access.remove("one"))
            _ = try bench.token(of: "one")
            #expect(try await Self.send(["van"], with: two, to: bench) == 200)
            #expect(try await Self.gateways(bench) == ["van": "two"])
        }
    }

    @Test func `A device that gets a token of its own has a share of its own`() async throws {
        try await ServerBench.with { bench in
            let fleet = try bench.token(of: "fleet", isGateway: true)
            #expect(try await Self.send(["van", "bus"], with: fleet, to: bench) == 200)
            let token = try bench.token(of: "van")
            #expect(try await Self.send(["bus"], with: token, to: bench) == 200)
            #expect(try await Self.gateways(bench) == ["bus": "fleet"])
            #expect(try await Self.send(["van"], with: fleet, to: bench) == 409)
            #expect(try await Self.gateways(bench) == ["bus": "fleet"])
        }
    }

    @Test func `A gateway has a bounded number of devices, of which those with points survive a restart`() async throws
    {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let history = try await TrackHistory.open(directory: directory)
            let gateways = GatewayTable(in: directory)
            let names = (0...GatewayTable.devicesOfGateway).map { DeviceID(rawValue: "\($0)") }
            let allowed = try await gateways.claim(names, by: "fleet", in: history) { _ in true }.allowed
            #expect(allowed.count == GatewayTable.devicesOfGateway)
            #expect(try await gateways.claim(allowed, by: "fleet", in: history) { _ in true }.allowed == allowed)
            #expect(try await gateways.claim(["new"], by: "fleet", in: history) { _ in true }.allowed.isEmpty)
            let kept = try #require(allowed.first)
            let place = Coordinate(latitude: 1, longitude: 2)
            _ = try await history.add([HistoryPoint(fix: Fix(time: ServerBench.now, coordinate: place))], of: kept)
            #expect(try await GatewayTable(in: directory).gateways(in: history) == [kept: "fleet"])
            await history.close()
        }
    }

    @Test func `The devices of a request that are more than it may have are refused, and the list names the limit`()
        async throws
    {
        try await ServerBench.with { bench in
            let token = try bench.token(of: "fleet", isGateway: true)
            let names = (0..<200).map { "van-\($0)" }
            #expect(try await Self.send(names, with: token, to: bench) == 413)
            let kept = try await bench.history.devices().map(\.id.rawValue)
            #expect(kept.count == 100 && Set(kept).isSubset(of: names))
            let list = try await bench.send("GET", "/api/rejected?key=\(bench.key)").body
            #expect(list.contains(#""total":100"#) && list.contains("at most 100 devices"))
            let others = names.filter { !kept.contains($0) }
            #expect(try await Self.send(others, with: token, to: bench) == 200)
            #expect(try await bench.history.devices().count == 200)
        }
    }

    /// So many points of a device, a second apart.
    private static func points(_ count: Int, from first: Timestamp = ServerBench.now) -> [HistoryPoint] {
        (0..<count).map { second in
            let place = Coordinate(latitude: 53.55 + Double(second) / 100_000, longitude: 9.98)
            return HistoryPoint(fix: Fix(time: first.advanced(by: .seconds(second)), coordinate: place))
        }
    }

    @Test
    func `Devices of before the list are refused to none that sent for them, and kept points are what is answered`()
        async throws
    {
        try await ServerBench.with { bench in
            for device in ["van", "bus", "own"] as [DeviceID] {
                _ = try await bench.history.add(
                    Self.points(1, from: ServerBench.now.advanced(by: .seconds(-60))), of: device)
            }
            let (one, two) = try (bench.token(of: "one", isGateway: true), bench.token(of: "two", isGateway: true))
            _ = try bench.token(of: "own")
            #expect(try await Self.send(["van", "bus"], with: one, to: bench) == 200)
            #expect(try await Self.gateways(bench) == ["van": "one", "bus": "one"])
            #expect(try await Self.send(["van"], with: two, to: bench) == 200)
            #expect(try await Self.send(["van"], with: one, to: bench) == 200)
            #expect(try await Self.gateways(bench) == ["bus": "one"])
            // One with a sender of its own is refused, and so is a new one of another gateway.
            #expect(try await Self.send(["own"], with: one, to: bench) == 409)
            #expect(try await Self.send(["new"], with: two, to: bench) == 200)
            #expect(try await Self.send(["new"], with: one, to: bench) == 409)
            #expect(try await bench.points(of: "own").count == 1)
            #expect(try await bench.send("GET", "/api/rejected?key=\(bench.key)").body.contains(#""total":2"#))
        }
    }

    @Test func `An upgrade that is followed by a restart refuses no gateway either`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let history = try await TrackHistory.open(directory: directory)
            _ = try await history.add(Self.points(1), of: "van")
            for (gateway, owners) in [("one", ["van": "one"]), ("two", [:]), ("one", [:])]
                as [(DeviceID, [DeviceID: DeviceID])]
            {
                let gateways = GatewayTable(in: directory)
                #expect(try await gateways.claim(["van"], by: gateway, in: history) { _ in true }.allowed == ["van"])
                #expect(try await GatewayTable(in: directory).gateways(in: history) == owners)
            }
            await history.close()
        }
    }

    @Test func `Beside an unreadable list retention goes on, takes nothing by a wrong share, and the status names it`()
        async throws
    {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let file = directory + "/gateways.json"
            let isMade = FileManager.default.createFile(
                atPath: file, contents: Data("[]".utf8), attributes: [.posixPermissions: 0o600])
            #expect(isMade)
            let (gateways, clock) = (GatewayTable(in: directory), ManualClock())
            var retention = HistoryRetention()
            (retention.keepDays, retention.maxBytes) = (1, 1 << 16)
            let sink = HistorySink(
                id: "server", directory: directory, device: "agent", retention: retention,
                owners: { history throws(StoreError) in try await gateways.gateways(in: history) }, clock: clock)
            let history = try await sink.openHistory()
            // The one phone has most, and is less than all devices of a gateway together.
            _ = try await history.add(Self.points(3_000), of: "phone")
            for number in 0..<4 {
                _ = try await history.add(Self.points(1_000), of: DeviceID(rawValue: "van-\(number)"))
            }
            let old = Self.points(10, from: ServerBench.now.advanced(by: .seconds(-200_000)))
            _ = try await history.add(old, of: "van-0")
            func counts() async throws -> [Int] {
                let whole = Timestamp(nanosecondsSince1970: .min)..<Timestamp(nanosecondsSince1970: .max)
                var counts: [Int] = []
                for device in ["phone", "van-0", "van-1", "van-2", "van-3"] as [DeviceID] {
                    counts.append(try await history.points(of: device, during: whole, limit: .max).count)
                }
                return counts
            }
            let running = Task { try await sink.run() }
            await clock.sleepers(atLeast: 1)
            clock.advance(by: .seconds(60))
            await clock.sleepers(atLeast: 1)
            #expect(try await counts() == [3_000, 1_000, 1_000, 1_000, 1_000])
            let item = try #require(sink.statusItems(now: ServerBench.now).first { $0.name == "owners" })
            #expect(item.text?.contains(file) == true)
            // A flood that is more than all others together is the largest share in any case.
            _ = try await history.add(Self.points(20_000), of: "van-3")
            for _ in 0..<2 {
                clock.advance(by: .seconds(3_540))
                await clock.sleepers(atLeast: 1)
                clock.advance(by: .seconds(60))
                await clock.sleepers(atLeast: 1)
            }
            #expect(try await counts() == [3_000, 1_000, 1_000, 1_000, 6_000])
            // The list is there again.
            try Data(#"{"devices":{}}"#.utf8).write(to: URL(fileURLWithPath: file))
            clock.advance(by: .seconds(3_540))
            await clock.sleepers(atLeast: 1)
            clock.advance(by: .seconds(60))
            await clock.sleepers(atLeast: 1)
            #expect(!sink.statusItems(now: ServerBench.now).contains { $0.name == "owners" })
            #expect(try await counts().reduce(0, +) < 6_000)
            running.cancel()
            _ = await running.result
            await sink.close()
        }
    }
}
