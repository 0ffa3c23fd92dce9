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

    /// A drive across Greenwich in seconds 0 to 9, of which the last three places are on it.
    private static let crossing = (0..<10).map { (second: Int) -> (Int, Double, Double) in
        (second, 51.48, second < 7 ? Double(second - 7) / 1000 : 0)
    }

    @Test(arguments: [false, true])
    func `The order within a request does not matter, nor that of requests`(_ isNewestFirst: Bool) async throws {
        try await ServerBench.with { bench in
            let places = isNewestFirst ? Self.crossing.reversed() : Self.crossing
            let token = try bench.token(of: "overland")
            let features = places.map { second, latitude, longitude in
                #"{"type":"Feature","geometry":{"type":"Point","coordinates":[\#(longitude),\#(latitude)]},"#
                    + #""properties":{"timestamp":\#(1_772_359_200 + second)}}"#
            }
            let body = #"{"locations":[\#(features.joined(separator: ","))]}"#
            #expect(try await bench.send("POST", "/dump?token=\(token)", body: body).status == 200)
            #expect(try await bench.points(of: "overland").count == 10)

            let other = try bench.token(of: "traccar")
            for (second, latitude, longitude) in places {
                let place = "lat=\(latitude)&lon=\(longitude)"
                #expect(try await Self.send(place, at: second, other, bench) == 200)
            }
            // Before the first place beside the line, nothing is known of the device.
            #expect(try await bench.points(of: "traccar").count == (isNewestFirst ? 7 : 10))
        }
    }

    @Test func `After a long way the fifth point on the equator is kept, with the newest first, too`() async throws {
        try await ServerBench.with { bench in
            for isNewestFirst in [false, true] {
                let device: DeviceID = isNewestFirst ? "down" : "up"
                let token = try bench.token(of: device)
                _ = try await Self.send("lat=3.5&lon=32.5", at: isNewestFirst ? 9000 : -9000, token, bench)
                for second in isNewestFirst ? Array((0..<8).reversed()) : Array(0..<8) {
                    _ = try await Self.send("lat=0&lon=32.5", at: second, token, bench)
                }
                #expect(try await bench.points(of: device).count == 5)
            }
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

    @Test func `After a start a device is measured by its newest kept point`() async throws {
        try await ServerBench.with { bench in
            let token = try bench.token(of: "phone")
            // What an earlier run of the server has kept.
            let place = Coordinate(latitude: 51.4779, longitude: 0.0004)
            let time = Timestamp(secondsSince1970: 1_772_359_200)
            _ = try await bench.history.add([HistoryPoint(fix: Fix(time: time, coordinate: place))], of: "phone")
            for (second, place) in ["lat=51.4779&lon=0", "lat=0&lon=0.0004"].enumerated() {
                #expect(try await Self.send(place, at: second + 1, token, bench) == 200)
            }
            #expect(try await bench.points(of: "phone").map(\.fix.coordinate.longitude) == [0.0004, 0])
        }
    }

    @Test func `A current position that is not kept is no vote, and no place that others are measured by`() async throws
    {
        try await ServerBench.with { bench in
            func feature(_ second: Int, _ longitude: Double) -> String {
                #"{"type":"Feature","geometry":{"type":"Point","coordinates":[\#(longitude),53.5]},"#
                    + #""properties":{"timestamp":\#(1_772_359_200 + second)}}"#
            }
            let token = try bench.token(of: "phone")
            for second in [0, 10, 20] {
                let body = #"{"locations":[\#(feature(second, 0))],"current":\#(feature(second + 5, 0))}"#
                #expect(try await bench.send("POST", "/dump?token=\(token)", body: body).status == 200)
            }
            #expect(try await bench.points(of: "phone").isEmpty)
            let near = #"{"locations":[\#(feature(30, 10))],"current":\#(feature(31, 0.0005))}"#
            #expect(try await bench.send("POST", "/dump?token=\(token)", body: near).status == 200)
            let lost = #"{"locations":[\#(feature(32, 0))]}"#
            #expect(try await bench.send("POST", "/dump?token=\(token)", body: lost).status == 200)
            #expect(try await bench.points(of: "phone").map(\.fix.coordinate.longitude) == [10])
        }
    }

    @Test(arguments: [(0, 9.98), (53.55, 0.0)])
    func `Places of Miataru's devices that have lost an axis are held back, and the answer says so`(
        _ latitude: Double, _ longitude: Double
    ) async throws {
        try await ServerBench.with(servesMiataru: true) { bench in
            let token = try bench.token(of: "phone")
            func place(_ second: Int, _ latitude: Double, _ longitude: Double) -> String {
                #"{"Device":"A","DeviceKey":"","Timestamp":"\#(1_772_359_200 + second)","#
                    + #""Longitude":\#(longitude),"Latitude":\#(latitude),"HorizontalAccuracy":5}"#
            }
            let places = [place(0, latitude, longitude), place(1, 53.55, 9.98), place(2, latitude, longitude)]
            let body =
                #"{"MiataruConfig":{"EnableLocationHistory":"True","LocationDataRetentionTime":"1440000"},"#
                + #""MiataruLocation":[\#(places.joined(separator: ","))]}"#
            let reply = try await bench.send("POST", "/t/\(token)/v1/UpdateLocation", body: body)
            #expect(reply.status == 200 && reply.body.contains("1 kept, 2 held back"), "\(reply.body)")
            let question =
                #"{"MiataruConfig":{"RequestMiataruDeviceID":"A"},"#
                + #""MiataruGetLocationHistory":{"Device":"A","Amount":"9"}}"#
            let kept = try await bench.send("POST", "/t/\(token)/v1/GetLocationHistory", body: question).body
            #expect(kept.contains(#""AvailableDeviceLocationUpdates":1"#) && kept.contains("53.55"), "\(kept)")
            let rejected = try await bench.send("GET", "/api/rejected?key=\(bench.key)").body
            #expect(rejected.contains(#""total":2,"#))
        }
    }
}
