import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory
import TrackEngineServer

@Suite("Reading", .timeLimit(.minutes(30)))
struct ReadingTests {
    /// 2026-03-01T10:00:00Z.
    private static let start = 1_772_359_200

    /// A drive to the north, 10 m/s, of a point a second.
    private static func drive(_ count: Int) -> [HistoryPoint] {
        (0..<count).map { second in
            let coordinate = Coordinate(latitude: 53.55 + Double(second) * 9e-5, longitude: 9.98)
            return HistoryPoint(
                fix: Fix(
                    time: Timestamp(secondsSince1970: Int64(start + second)), coordinate: coordinate,
                    horizontalAccuracy: 5,
                    speed: 10))
        }
    }

    @Test func `A straight drive is drawn by its two ends`() async throws {
        try await ServerBench.with { bench in
            _ = try await bench.history.add(Self.drive(600), of: "van")
            let reply = try await bench.send(
                "GET", "/api/path?device=van&from=\(Self.start)&to=\(Self.start + 600)&within=5&key=\(bench.key)")
            #expect(
                reply.body == #"{"lines":[[[9.98,53.55,1772359200,10,null,0],[9.98,53.60391,1772359799,10,null,0]]]}"#)
        }
    }

    @Test func `Days are summed up by the viewer's own midnights`() async throws {
        try await ServerBench.with { bench in
            _ = try await bench.history.add(Self.drive(600), of: "van")
            let bounds = [-3600, 300, 600, 900].map { String(Self.start + $0) }.joined(separator: ",")
            let reply = try await bench.send("GET", "/api/summaries?device=van&bounds=\(bounds)&key=\(bench.key)")
            #expect(reply.status == 200)
            #expect(reply.body.contains(#""points":300"#))
            #expect(reply.body.hasSuffix(",null]"))
        }
    }

    @Test func `Devices are listed with their newest points`() async throws {
        try await ServerBench.with { bench in
            _ = try await bench.history.add(Self.drive(2), of: "van")
            let reply = try await bench.send("GET", "/api/devices?key=\(bench.key)")
            #expect(
                reply.body
                    == #"[{"name":"van","time":1772359201,"place":[9.98,53.55009],"accuracy":5,"speed":10,"course":null,"altitude":null,"activity":"unknown","battery":null}]"#
            )
        }
    }

    @Test func `Overland's current position is shown and not kept`() async throws {
        try await ServerBench.with { bench in
            let token = try bench.token(of: "phone")
            let current = ReceivingTests.feature.replacingOccurrences(of: "10:00:00", with: "11:00:00")
            _ = try await bench.send(
                "POST", "/dump?token=\(token)",
                body: #"{"locations":[\#(ReceivingTests.feature)],"current":\#(current)}"#)
            let reply = try await bench.send("GET", "/api/devices?key=\(bench.key)")
            #expect(reply.body.contains(#""time":\#(Self.start + 3600)"#))
            #expect(try await bench.points(of: "phone").count == 1)
        }
    }

    @Test func `Points are removed for good`() async throws {
        try await ServerBench.with { bench in
            _ = try await bench.history.add(Self.drive(10), of: "van")
            let key = try bench.access.allowEditing().secret.revealed
            let reply = try await bench.send(
                "DELETE", "/api/points?device=van&from=\(Self.start)&to=\(Self.start + 5)&key=\(key)")
            #expect(reply.body == #"{"removed":5}"#)
            #expect(try await bench.points(of: "van").count == 5)
        }
    }

    @Test(arguments: [
        ("/api/path?device=van&from=x&to=1", "from: expected"), ("/api/path?from=0&to=1", "device: expected"),
        ("/api/path?device=van&from=2&to=1", "to: expected"),
        ("/api/path?device=van&from=0&to=1&within=-1", "within: expected"),
        ("/api/summaries?device=van&bounds=1", "bounds: expected"),
        ("/api/summaries?device=van&bounds=2,1", "bounds: expected"),
    ])
    func `A question that is none is answered with what was expected`(_ target: String, _ words: String) async throws {
        try await ServerBench.with { bench in
            let reply = try await bench.send("GET", target, ["Authorization": "Bearer \(bench.key)"])
            #expect(reply.status == 400)
            #expect(reply.body.contains(words))
        }
    }

    @Test func `Trace gets its own shape`() async throws {
        try await ServerBench.with { bench in
            _ = try await bench.history.add(Self.drive(2), of: "van")
            let status = try await bench.send("GET", "/status")
            #expect(status.body == #"{"status":"ok"}"#)
            let reply = try await bench.send("GET", "/t/\(bench.key)/coordinates?lookback_hours=24")
            #expect(
                reply.body
                    == #"{"status":"success","count":2,"lookback_hours":24,"coordinates":[["2026-03-01T10:00:00Z",53.55,9.98],["2026-03-01T10:00:01Z",53.55009,9.98]]}"#
            )
            let day = try await bench.send("GET", "/coordinates?date=2026-02-28&key=\(bench.key)")
            #expect(day.body == #"{"status":"success","count":0,"date":"2026-02-28","coordinates":[]}"#)
            let paths = try await bench.send("GET", "/coordinates?paths=true&key=\(bench.key)")
            #expect(paths.body.contains(#""paths":[[{"timestamp":"2026-03-01T10:00:00Z","latitude":53.55"#))
            let wrong = try await bench.send("GET", "/coordinates?lookback_hours=0&key=\(bench.key)")
            #expect(wrong.status == 400)
            #expect(wrong.body.hasPrefix(#"{"status":"error","message":"#))
        }
    }

    @Test func `A removed place is shown no more`() async throws {
        try await ServerBench.with { bench in
            let token = try bench.token(of: "phone")
            _ = try await bench.send(
                "POST", "/dump?token=\(token)", body: #"{"locations":[\#(ReceivingTests.feature)]}"#)
            let key = try bench.access.allowEditing().secret.revealed
            _ = try await bench.send(
                "DELETE", "/api/points?device=phone&from=\(Self.start)&to=\(Self.start + 1)&key=\(key)")
            #expect(try await bench.send("GET", "/api/devices?key=\(bench.key)").body == "[]")
        }
    }

    @Test func `All points of a stretch of time are told for two days at the most`() async throws {
        try await ServerBench.with { bench in
            _ = try await bench.history.add(Self.drive(2), of: "van")
            for (days, status) in [(2, 200), (3, 400)] {
                let reply = try await bench.send(
                    "GET",
                    "/api/path?device=van&from=\(Self.start)&to=\(Self.start + days * 86_400)&within=0&key=\(bench.key)"
                )
                #expect(reply.status == status)
            }
        }
    }

    @Test(arguments: ["gpx", "geojson", "csv"])
    func `A stretch of time is written whole, also when it has more points than a page`(_ format: String) async throws {
        try await ServerBench.with { bench in
            let count = HistoryExport.pageLength * 2 + 5
            _ = try await bench.history.add(Self.drive(count), of: "van 7/ü")
            let reply = try await bench.send(
                "GET",
                "/api/export?device=van+7/%C3%BC&from=\(Self.start)&to=\(Self.start + count)&format=\(format)&key=\(bench.key)"
            )
            #expect(reply.status == 200)
            #expect(reply.head.contains("filename=\"van-7---2026-03-01.\(format)\""))
            let mark = ["gpx": "<trkpt", "geojson": "\"Point\"", "csv": "2026-03-01T1"][format] ?? ""
            #expect(reply.body.components(separatedBy: mark).count - 1 == count)
        }
    }

    @Test(arguments: [
        ("gpx", ["<sat>9</sat>"]),
        ("geojson", [#""satellites":9"#, #""battery_level":0.75"#, #""battery_state":"charging""#]),
        ("csv", ["mode,satellites,id", "odometer,battery_level,battery_state\r\n", ",9,", ",0.75,charging\r\n"]),
    ])
    func `Satellites and battery are written where a format has a place for them`(_ format: String, _ parts: [String])
        async throws
    {
        try await ServerBench.with { bench in
            let fix = Fix(
                time: Timestamp(secondsSince1970: Int64(Self.start)),
                coordinate: Coordinate(latitude: 53.55, longitude: 9.98), satellitesUsed: 9)
            let host = HostStatus(batteryLevel: 0.75, batteryState: .charging)
            _ = try await bench.history.add([HistoryPoint(fix: fix, host: host)], of: "van")
            let reply = try await bench.send(
                "GET",
                "/api/export?device=van&from=\(Self.start)&to=\(Self.start + 1)&format=\(format)&key=\(bench.key)")
            for part in parts { #expect(reply.body.contains(part), "\(reply.body)") }
        }
    }

    @Test func `Trace sends to and reads from one address, and sees its own device there`() async throws {
        try await ServerBench.with { bench in
            let token = try bench.token(of: "phone")
            _ = try await bench.history.add(Self.drive(2), of: "van")
            _ = try await bench.send(
                "POST", "/t/\(token)/dump", body: #"{"locations":[\#(ReceivingTests.feature)]}"#)
            #expect(try await bench.send("GET", "/t/\(token)/status").status == 200)
            for query in ["", "&device=van"] {
                let own = try await bench.send("GET", "/t/\(token)/coordinates?lookback_hours=24\(query)")
                #expect(own.body.contains(#""count":1,"#))
            }
            let nobody = try await bench.send("GET", "/t/wrong/coordinates?lookback_hours=24")
            #expect(nobody.status == 401 && nobody.body.hasPrefix(#"{"status":"error","message":"#))
        }
    }

    @Test func `Trace's bounds are repeated, and rows have the accuracy then`() async throws {
        try await ServerBench.with { bench in
            _ = try await bench.history.add(Self.drive(1), of: "van")
            let reply = try await bench.send(
                "GET", "/coordinates?lookback_hours=24&min_accuracy=200&max_distance=100&key=\(bench.key)")
            #expect(
                reply.body
                    == #"{"status":"success","count":1,"lookback_hours":24,"min_accuracy":200,"max_distance":100,"coordinates":[["2026-03-01T10:00:00Z",53.55,9.98,5]]}"#
            )
            let today = try await bench.send("GET", "/coordinates?date=today&key=\(bench.key)")
            #expect(today.body.hasPrefix(#"{"status":"success","count":1,"date":"today","#))
        }
    }

    @Test(.timeLimit(.minutes(30)))
    func `More points of one millisecond than a page has are written, too, each once`() async throws {
        try await ServerBench.with { bench in
            let count = 2 * HistoryExport.pageLength + 1
            let points = (0..<count).map { index in
                let coordinate = Coordinate(latitude: 53 + Double(index) / 10_000, longitude: 9.98)
                return HistoryPoint(
                    fix: Fix(time: Timestamp(secondsSince1970: Int64(Self.start)), coordinate: coordinate))
            }
            _ = try await bench.history.add(points + Self.drive(3), of: "van")
            let reply = try await bench.send(
                "GET",
                "/api/export?device=van&from=\(Self.start)&to=\(Self.start + 9)&format=csv&key=\(bench.key)")
            #expect(reply.body.components(separatedBy: "2026-03-01T1").count - 1 == count + 3)
        }
    }
    @Test func `A drawing is cells of half a pixel, each as its distance from the one before`() async throws {
        try await ServerBench.with { bench in
            let points = [(0.0, 0), (1.0, 60), (0, 120)].map { longitude, second in
                HistoryPoint(
                    fix: Fix(
                        time: Timestamp(secondsSince1970: Int64(second)),
                        coordinate: Coordinate(latitude: 0, longitude: longitude)))
            }
            _ = try await bench.history.add(points, of: "van")
            let reply = try await bench.send("GET", "/api/path?device=van&from=0&to=121&zoom=5.3&key=\(bench.key)")
            // At zoom 6 the world is 32,768 cells wide: a degree is 91. The way back is the same edge.
            #expect(reply.body == #"{"zoom":6,"lines":[[16384,16384,91,0]]}"#)
        }
    }

    @Test func `A drawing that would be too much is a smaller one, and tells its zoom`() async throws {
        try await ServerBench.with { bench in
            // Ten ways from pole to pole and back, each of more pieces than can be drawn closely.
            let points = (0..<170).map { index in
                let time = Timestamp(secondsSince1970: Int64(Self.start + index / 17 * 1_000 + index % 17))
                let coordinate = Coordinate(latitude: index % 2 == 0 ? 85 : -85, longitude: Double(index) - 85)
                return HistoryPoint(fix: Fix(time: time, coordinate: coordinate))
            }
            _ = try await bench.history.add(points, of: "van")
            let times =
                Timestamp(secondsSince1970: Int64(Self.start))..<Timestamp(secondsSince1970: Int64(Self.start) + 20_000)
            let drawing = try await bench.history.drawing(of: "van", during: times, zoom: 10)
            #expect(drawing.zoom < 10)
            let reply = try await bench.send(
                "GET", "/api/path?device=van&from=\(Self.start)&to=\(Self.start + 20_000)&zoom=10&key=\(bench.key)")
            #expect(reply.status == 200)
            #expect(reply.body.hasPrefix(#"{"zoom":\#(drawing.zoom),"lines":[["#))
        }
    }

    @Test(arguments: ["21", "-1", "x", "nan"])
    func `A zoom that no screen has is refused with what was expected`(_ zoom: String) async throws {
        try await ServerBench.with { bench in
            let reply = try await bench.send(
                "GET", "/api/path?device=van&from=0&to=1&zoom=\(zoom)&key=\(bench.key)")
            #expect(reply.status == 400)
            expectMessage(reply.body, as: "zoom \(zoom)")
        }
    }
}
