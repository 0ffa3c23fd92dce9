import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory
import TrackEngineServer

/// One token that sends for many devices.
@Suite("Gateways", .timeLimit(.minutes(30)))
struct GatewayTests {
    /// Sends one point of each of some devices; returns the status.
    private static func send(_ devices: [String], with token: String, to bench: ServerBench) async throws -> Int {
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
        return try await GatewayDevices(in: directory).gateways(in: bench.history)
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

    @Test func `A device that gets a token of its own has a share of its own`() async throws {
        try await ServerBench.with { bench in
            let fleet = try bench.token(of: "fleet", isGateway: true)
            #expect(try await Self.send(["van", "bus"], with: fleet, to: bench) == 200)
            let token = try bench.token(of: "van")
            #expect(try await Self.send(["bus"], with: token, to: bench) == 200)
            #expect(try await Self.gateways(bench) == ["bus": "fleet"])
            #expect(try await Self.send(["van"], with: fleet, to: bench) == 200)
            #expect(try await Self.gateways(bench) == ["bus": "fleet"])
        }
    }

    @Test func `A gateway has a bounded number of devices, of which those with points survive a restart`() async throws
    {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let history = try await TrackHistory.open(directory: directory)
            let gateways = GatewayDevices(in: directory)
            let names = (0...GatewayDevices.devicesOfGateway).map { DeviceID(rawValue: "\($0)") }
            let allowed = try await gateways.claim(names, by: "fleet", in: history) { _ in true }
            #expect(allowed.count == GatewayDevices.devicesOfGateway)
            #expect(try await gateways.claim(allowed, by: "fleet", in: history) { _ in true } == allowed)
            #expect(try await gateways.claim(["new"], by: "fleet", in: history) { _ in true }.isEmpty)
            let kept = try #require(allowed.first)
            let place = Coordinate(latitude: 1, longitude: 2)
            _ = try await history.add([HistoryPoint(fix: Fix(time: ServerBench.now, coordinate: place))], of: kept)
            #expect(try await GatewayDevices(in: directory).gateways(in: history) == [kept: "fleet"])
            await history.close()
        }
    }
}
