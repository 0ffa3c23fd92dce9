import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory

/// Points whose latitude, longitude or date the device has lost, beside good ones.
@Suite(.timeLimit(.minutes(15))) struct LostPlaceTests {
    /// A request of Traccar's client at a number of seconds, and the status of its reply.
    private static func send(_ place: String, at second: Int, _ token: String, _ bench: ServerBench) async throws -> Int
    {
        try await bench.send("GET", "/osmand?id=\(token)&timestamp=\(1_772_359_200 + second)&\(place)").status
    }

    @Test(arguments: ["lat=0&lon=9.98", "lat=53.55&lon=0.0"])
    func `A point that has lost an axis is listed and not kept, the first one too`(_ lost: String) async throws {
        try await ServerBench.with { bench in
            let token = try bench.token(of: "phone")
            let good = "lat=53.55&lon=9.98"
            for (second, place) in [lost, good, lost, good].enumerated() {
                #expect(try await Self.send(place, at: second, token, bench) == 200)
            }
            let seconds = try await bench.points(of: "phone").map { $0.fix.time.secondsSince1970 - 1_772_359_200 }
            #expect(seconds == [1, 3])
            let rejected = try await bench.send("GET", "/api/rejected?key=\(bench.key)").body
            #expect(rejected.contains(#""total":2,"#))
            #expect(rejected.contains("one of them is 0, and the device is not near that line"))
        }
    }

    @Test func `The other points of a batch are kept, and other devices are not measured by them`() async throws {
        try await ServerBench.with { bench in
            let token = try bench.token(of: "fleet", isGateway: true)
            func feature(_ second: Int, _ longitude: Double, _ latitude: Double, _ device: String) -> String {
                #"{"type":"Feature","geometry":{"type":"Point","coordinates":[\#(longitude),\#(latitude)]},"#
                    + #""properties":{"timestamp":\#(1_772_359_200 + second),"device_id":"\#(device)"}}"#
            }
            let features = [
                feature(0, 9.98, 0, "a"), feature(1, 9.98, 53.55, "a"), feature(2, 9.98, 0, "a"),
                feature(0, 32, 0.001, "b"), feature(1, 32, 0, "b"),
            ]
            let body = #"{"locations":[\#(features.joined(separator: ","))]}"#
            #expect(try await bench.send("POST", "/dump?token=\(token)", body: body).status == 200)
            #expect(try await bench.points(of: "a").map(\.fix.coordinate.latitude) == [53.55])
            #expect(try await bench.points(of: "b").count == 2)
        }
    }

    @Test func `A device that stays on the equator is believed after four points`() async throws {
        try await ServerBench.with { bench in
            let token = try bench.token(of: "phone")
            for second in 0..<6 { _ = try await Self.send("lat=0&lon=32.5", at: second, token, bench) }
            #expect(try await bench.points(of: "phone").count == 2)
        }
    }

    @Test(arguments: ["1980-01-06T00:00:05Z", "2000-01-01T10:00:00Z", "315964805"])
    func `A date of a clock that was not set is listed, and the request is no wrong one`(_ time: String) async throws {
        try await ServerBench.with { bench in
            let token = try bench.token(of: "phone")
            let target = "/osmand?id=\(token)&lat=53.55&lon=9.98&timestamp=\(time)"
            #expect(try await bench.send("GET", target).status == 200)
            #expect(try await bench.points(of: "phone").isEmpty)
            let rejected = try await bench.send("GET", "/api/rejected?key=\(bench.key)").body
            expectMessage(try JSONValue.parse(rejected.utf8)["newest"]?.array?.first?["reason"]?.string)
        }
    }
}
