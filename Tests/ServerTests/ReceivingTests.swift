import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles
import TrackEngineHistory
import TrackEngineServer
import TrackEngineTestKit

@Suite("Receiving", .timeLimit(.minutes(30)))
struct ReceivingTests {
    static let feature =
        #"{"type":"Feature","geometry":{"type":"Point","coordinates":[9.98,53.55]},"properties":{"timestamp":"2026-03-01T10:00:00Z","device_id":"other"}}"#

    @Test(arguments: ["/dump", "/api/overland"])
    func `A batch of Overland is in the history when it is answered, under the name of its token`(_ path: String)
        async throws
    {
        try await ServerBench.with { bench in
            let token = try bench.token(of: "phone")
            let reply = try await bench.send(
                "POST", path, ["Authorization": "Bearer \(token)", "Content-Type": "application/json"],
                body: #"{"locations":[\#(Self.feature)]}"#)
            #expect(reply.status == 200)
            #expect(reply.body == #"{"result":"ok"}"#)
            let place = Coordinate(latitude: 53.55, longitude: 9.98)
            #expect(try await bench.points(of: "phone").map(\.fix.coordinate) == [place])
            #expect(try await bench.points(of: "other").isEmpty)
        }
    }

    @Test func `A batch that comes again is kept once`() async throws {
        try await ServerBench.with { bench in
            let token = try bench.token(of: "phone")
            for _ in 0..<3 {
                let reply = try await bench.send(
                    "POST", "/dump?token=\(token)", body: #"{"locations":[\#(Self.feature)]}"#)
                #expect(reply.body == #"{"result":"ok"}"#)
            }
            #expect(try await bench.points(of: "phone").count == 1)
        }
    }

    @Test(arguments: [
        ("POST", "/pub", #"{"_type":"location","tst":1772359200,"lat":53.55,"lon":9.98}"#, "[]"),
        (
            "POST", "/calmgeo", #"[{"timestamp":"2026-03-01T10:00:00Z","coords":{"latitude":53.55,"longitude":9.98}}]"#,
            #"{"result":"ok"}"#
        ),
        ("GET", "/osmand?id=1&timestamp=1772359200&lat=53.55&lon=9.98", "", ""),
        ("GET", "/osmand?timestamp=1772359200&lat=53.55&lon=9.98", "", ""),
        ("GET", "/log?time=2026-03-01T10:00:00Z&lat=53.55&lon=9.98", "", "ok"),
        ("GET", "/log?lat=53.55&lon=9.98&timestamp=1772359200000&acc=4.5&alt=12.0&spd=10.5&dir=181.0", "", "ok"),
        ("POST", "/api/v1/points", #"{"locations":[\#(feature)]}"#, #"{"data":[]}"#),
        (
            "POST", "/v1/UpdateLocation",
            #"{"MiataruLocation":[{"Device":"a","Timestamp":"1772359200","Latitude":53.55,"Longitude":9.98}]}"#,
            #"{"MiataruResponse":"ACK","MiataruVerboseResponse":"1 kept"}"#
        ),
    ])
    func `Each format has its path and its reply, and a token in front of the path will do`(
        _ method: String, _ target: String, _ body: String, _ reply: String
    ) async throws {
        try await ServerBench.with { bench in
            let token = try bench.token(of: "phone")
            let answer = try await bench.send(
                method, "/t/\(token)\(target)", ["Content-Type": "application/json"], body: body)
            #expect(answer.status == 200)
            #expect(answer.body == reply)
            #expect(try await bench.points(of: "phone").map(\.fix.time) == [Timestamp(secondsSince1970: 1_772_359_200)])
        }
    }

    @Test func `OwnTracks shows its token as a password, Traccar's clients as the device's name`() async throws {
        try await ServerBench.with { bench in
            let token = try bench.token(of: "phone")
            let basic = Data("jane:\(token)".utf8).base64EncodedString()
            let own = try await bench.send(
                "POST", "/pub", ["Authorization": "Basic \(basic)", "X-Limit-D": "nexus"],
                body: #"{"_type":"location","tst":1772359200,"lat":53.55,"lon":9.98}"#)
            #expect(own.status == 200)
            let traccar = try await bench.send("GET", "/osmand?id=\(token)&timestamp=1772359201&lat=53.55&lon=9.98")
            #expect(traccar.status == 200)
            #expect(try await bench.points(of: "phone").count == 2)
        }
    }

    @Test func `A gateway's points are kept under the names that it gives`() async throws {
        try await ServerBench.with { bench in
            let token = try bench.token(of: "fleet", isGateway: true)
            let reply = try await bench.send("POST", "/dump?token=\(token)", body: #"{"locations":[\#(Self.feature)]}"#)
            #expect(reply.status == 200)
            #expect(try await bench.points(of: "other").count == 1)
            #expect(try await bench.points(of: "fleet").isEmpty)
        }
    }

    @Test func `A feature that is no point does not stop its batch, and is listed with its reason`() async throws {
        try await ServerBench.with { bench in
            let token = try bench.token(of: "phone")
            let visit = #"{"type":"Feature","geometry":null,"properties":{"action":"visit"}}"#
            let later = Self.feature.replacingOccurrences(of: "2026-03-01", with: "2031-03-01")
            let reply = try await bench.send(
                "POST", "/dump?token=\(token)", body: #"{"locations":[\#(visit),\#(Self.feature),\#(later)]}"#)
            #expect(reply.body == #"{"result":"ok"}"#)
            #expect(try await bench.points(of: "phone").count == 1)
            let rejected = try await bench.send("GET", "/api/rejected?key=\(bench.key)")
            #expect(rejected.body.contains(#""total":2"#))
            #expect(rejected.body.contains("a visit, which is no location"))
            #expect(rejected.body.contains("not days ahead of the server's clock"))
        }
    }

    @Test(arguments: ["/osmand?id=", "/t/"])
    func `A request whose place cannot be read is refused and listed`(_ start: String) async throws {
        try await ServerBench.with { bench in
            let token = try bench.token(of: "phone")
            let target = start + token + (start == "/t/" ? "/osmand?" : "&")
            let form = ["Content-Type": "application/x-www-form-urlencoded"]
            for place in ["lat=53,07&lon=8,80", "lat={-8.88}&lon={13.2}", "lat=&lon="] {
                let parameters = "\(place)&timestamp=1772359200".replacingOccurrences(of: "{", with: "%7B")
                    .replacingOccurrences(of: "}", with: "%7D")
                #expect(try await bench.send("GET", target + parameters).status == 400)
                #expect(try await bench.send("POST", target, form, body: parameters).status == 400)
            }
            let json = #"{"device_id":"\#(token)","location":{"timestamp":1772359200,"coords":{"latitude":"53,07"}}}"#
            #expect(
                try await bench.send("POST", target, ["Content-Type": "application/json"], body: json).status == 400)
            #expect(try await bench.points(of: "phone").isEmpty)
            let rejected = try await bench.send("GET", "/api/rejected?key=\(bench.key)")
            #expect(rejected.body.contains(#""total":7,"#))
            expectMessage(try JSONValue.parse(rejected.body.utf8)["newest"]?.array?.first?["reason"]?.string)
        }
    }

    @Test func `A value that cannot be read is listed, and its point is kept and no refused one`() async throws {
        try await ServerBench.with { bench in
            let token = try bench.token(of: "phone")
            let target = "/osmand?id=\(token)&lat=53.07&lon=8.80&timestamp=1772359200&speed=10,5&altitude=12"
            #expect(try await bench.send("GET", target).status == 200)
            #expect(try await bench.points(of: "phone").map(\.fix.altitude) == [12])
            let rejected = try await bench.send("GET", "/api/rejected?key=\(bench.key)")
            #expect(rejected.body.contains(#""total":0,"#))
            expectMessage(try JSONValue.parse(rejected.body.utf8)["newest"]?.array?.first?["reason"]?.string)
        }
    }

    @Test func `A Dawarich that is asked for its health and shown its key takes points`() async throws {
        try await ServerBench.with { bench in
            let token = try bench.token(of: "phone")
            #expect(try await bench.send("GET", "/api/v1/health").body == #"{"status":"ok"}"#)
            let reply = try await bench.send(
                "POST", "/api/v1/points?api_key=\(token)", ["Content-Type": "application/json"],
                body: #"{"locations":[\#(Self.feature)]}"#)
            #expect(reply.status == 200)
            let foreign = try await bench.send(
                "POST", "/api/v1/points?api_key=nobody", body: #"{"locations":[\#(Self.feature)]}"#)
            #expect(foreign.status == 401)
            #expect(try await bench.points(of: "phone").count == 1)
        }
    }

    @Test func `ulogger logs in, begins a track and sends positions to an address with the token`() async throws {
        try await ServerBench.with { bench in
            let form = ["Content-Type": "application/x-www-form-urlencoded"]
            let position = "action=addpos&lat=53.55&lon=9.98&time=1772359200&trackid=1"
            let token = try bench.token(of: "phone")
            for body in ["action=auth&user=anna&pass=x", "action=addtrack&track=Auto", position] {
                let reply = try await bench.send("POST", "/t/\(token)/client/index.php", form, body: body)
                #expect(reply.status == 200 && reply.body == #"{"error":false,"trackid":1}"#)
            }
            let foreign = try await bench.send("POST", "/t/nobody/client/index.php", form, body: position)
            #expect(foreign.status == 401 && foreign.body.contains(#""error":true"#))
            #expect(try await bench.points(of: "phone").count == 1)
        }
    }

    @Test func `OwnTracks' messages that are no location are no unusable points`() async throws {
        try await ServerBench.with { bench in
            let token = try bench.token(of: "phone")
            for kind in ["lwt", "waypoint", "transition", "card", "status"] {
                let reply = try await bench.send(
                    "POST", "/pub?token=\(token)", body: #"{"_type":"\#(kind)","tst":1772359200}"#)
                #expect(reply.status == 200 && reply.body == "[]")
            }
            _ = try await bench.send("POST", "/pub?token=\(token)", body: #"{"_type":"encrypted","data":"x"}"#)
            let rejected = try await bench.send("GET", "/api/rejected?key=\(bench.key)")
            #expect(rejected.body.contains(#""total":1,"#) && rejected.body.contains("for which there is no secret"))
        }
    }

    @Test func `A body of another format is refused, so that its sender keeps it`() async throws {
        try await ServerBench.with { bench in
            let token = try bench.token(of: "phone")
            let reply = try await bench.send(
                "POST", "/calmgeo?token=\(token)", body: #"{"locations":[\#(Self.feature)]}"#)
            #expect(reply.status == 400)
            expectMessage(reply.body)
        }
    }

    @Test func `While the history cannot keep points, senders are asked to try again`() async throws {
        try await ServerBench.with { bench in
            let token = try bench.token(of: "phone")
            await bench.history.close()
            let reply = try await bench.send("POST", "/dump?token=\(token)", body: #"{"locations":[\#(Self.feature)]}"#)
            #expect(reply.status == 503)
            #expect(reply.head.contains("Retry-After: 30"))
        }
    }

    /// A machine without a clock chip begins in the past and is told the time by a service, or never.
    @Test(arguments: [
        // Hours since the start; the dates of a batch; what is replied, and how many points are kept.
        (0.0, ["2026-03-03"], 200, 1), (0.0, ["2026-06-01"], 503, 0), (0.0, ["2026-03-01", "2026-06-01"], 200, 1),
        (0.99, ["2026-06-01"], 503, 0), (1.0, ["2026-06-01"], 200, 0),
    ])
    func `While the server's clock is not set, the near future is kept, and a batch of the far one waits for an hour`(
        _ hours: Double, _ dates: [String], _ status: Int, _ count: Int
    ) async throws {
        let clock = ServerClock(
            now: { ServerBench.now }, isSynchronised: { false }, uptime: { .seconds(hours * 3600) })
        try await ServerBench.with(wallClock: clock) { bench in
            let token = try bench.token(of: "phone")
            let features = dates.map { Self.feature.replacingOccurrences(of: "2026-03-01", with: $0) }
            let reply = try await bench.send(
                "POST", "/dump?token=\(token)", body: #"{"locations":[\#(features.joined(separator: ","))]}"#)
            #expect(reply.status == status)
            #expect(try await bench.points(of: "phone").count == count)
        }
    }

    @Test func `A list of devices that cannot be read is no fault of the sender's`() async throws {
        try await ServerBench.with { bench in
            let token = try bench.token(of: "phone")
            let away = bench.access.path + ".away"
            try FileManager.default.moveItem(atPath: bench.access.path, toPath: away)
            let body = #"{"locations":[\#(Self.feature)]}"#
            #expect(try await bench.send("POST", "/dump?token=\(token)", body: body).status == 503)
            #expect(try await bench.send("GET", "/api/devices?key=\(bench.key)").status == 200)
            try Data("{".utf8).write(to: URL(fileURLWithPath: bench.access.path))
            #expect(try await bench.send("POST", "/dump?token=\(token)", body: body).status == 503)
            try FileManager.default.removeItem(atPath: bench.access.path)
            try FileManager.default.moveItem(atPath: away, toPath: bench.access.path)
            #expect(try await bench.send("POST", "/dump?token=\(token)", body: body).status == 200)
        }
    }

    @Test func `A device that is removed while its body comes is refused`() async throws {
        try await ServerBench.with { bench in
            let token = try bench.token(of: "phone")
            let body = #"{"locations":[\#(Self.feature)]}"#
            let head =
                "POST /dump?token=\(token) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
            // A token has two places. When one of three is refused, the other two are under way.
            var open: [Int32] = []
            defer { for descriptor in open { close(descriptor) } }
            for _ in 0..<3 {
                let descriptor = try #require(LoopbackSocket.connect(to: .ipv4(bench.port)))
                open.append(descriptor)
                #expect(Foundation.send(descriptor, head, head.utf8.count, Int32(MSG_NOSIGNAL)) == head.utf8.count)
            }
            let sockets = open
            await eventually("one is refused") { sockets.contains(where: Self.hasReply) }
            #expect(try bench.access.remove("phone"))
            for descriptor in sockets where !Self.hasReply(descriptor) {
                #expect(Foundation.send(descriptor, body, body.utf8.count, Int32(MSG_NOSIGNAL)) == body.utf8.count)
                #expect(await LoopbackSocket.receive(from: descriptor).hasPrefix("HTTP/1.1 401"))
            }
        }
    }

    /// Whether something has come that nobody has read.
    private static func hasReply(_ descriptor: Int32) -> Bool {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) == 1
    }

    @Test func `Slow senders take no place from others, however many they are`() async throws {
        try await ServerBench.with { bench in
            var open: [Int32] = []
            defer { for descriptor in open { close(descriptor) } }
            for index in 0..<20 {
                let token = try bench.token(of: DeviceID(rawValue: "slow-\(index)"))
                for _ in 0..<2 {
                    let descriptor = try #require(LoopbackSocket.connect(to: .ipv4(bench.port)))
                    open.append(descriptor)
                    let head = "POST /dump?token=\(token) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{"
                    #expect(Foundation.send(descriptor, head, head.utf8.count, Int32(MSG_NOSIGNAL)) == head.utf8.count)
                }
            }
            let token = try bench.token(of: "quick")
            for _ in 0..<5 {
                let reply = try await bench.send(
                    "POST", "/dump?token=\(token)", body: #"{"locations":[\#(Self.feature)]}"#)
                #expect(reply.status == 200)
            }
        }
    }

    @Test func `A current position from the future hides no later one`() async throws {
        try await ServerBench.with { bench in
            let token = try bench.token(of: "phone")
            let future = Self.feature.replacingOccurrences(of: "2026-03-01", with: "2199-01-01")
            _ = try await bench.send("POST", "/dump?token=\(token)", body: #"{"locations":[],"current":\#(future)}"#)
            _ = try await bench.send("POST", "/dump?token=\(token)", body: #"{"locations":[\#(Self.feature)]}"#)
            let devices = try await bench.send("GET", "/api/devices?key=\(bench.key)")
            #expect(devices.body.contains(#""time":1772359200"#))
        }
    }

    @Test(arguments: ["", "\u{200b}", String(repeating: "n", count: 65), "van-7", "two\\nlines"])
    func `A gateway can name neither nobody nor another sender`(_ name: String) async throws {
        try await ServerBench.with { bench in
            _ = try bench.token(of: "van-7")
            let token = try bench.token(of: "fleet", isGateway: true)
            let feature = Self.feature.replacingOccurrences(of: "\"other\"", with: "\"\(name)\"")
            let reply = try await bench.send("POST", "/dump?token=\(token)", body: #"{"locations":[\#(feature)]}"#)
            #expect(reply.status == (name.isEmpty ? 200 : 409))
            let devices = try await bench.history.devices().map(\.id)
            #expect(devices == (name.isEmpty ? ["fleet"] : []))
            let rejected = try await bench.send("GET", "/api/rejected?key=\(bench.key)")
            #expect(rejected.body.contains(name.isEmpty ? #""total":0"# : #""total":1"#))
        }
    }

    @Test func `A gateway does not write into the agent's own track, and that is listed`() async throws {
        try await ServerBench.with(sharing: SharingScene(ownDevice: "home")) { bench in
            let token = try bench.token(of: "fleet", isGateway: true)
            let feature = Self.feature.replacingOccurrences(of: "\"other\"", with: "\"home\"")
            let body = #"{"locations":[\#(feature),\#(Self.feature)],"current":\#(feature)}"#
            let reply = try await bench.send("POST", "/dump?token=\(token)", body: body)
            #expect(reply.status == 200)
            #expect(try await bench.history.devices().map(\.id) == ["other"])
            #expect(!(try await bench.send("GET", "/api/devices?key=\(bench.key)").body.contains("home")))
            let rejected = try await bench.send("GET", "/api/rejected?key=\(bench.key)")
            #expect(rejected.body.contains(#""total":1"#) && rejected.body.contains("not the server's own"))
        }
    }

    @Test(arguments: [false, true])
    func `A long request is kept in portions, whatever lies between its points`(_ isPacked: Bool) async throws {
        try await ServerBench.with { bench in
            let token = try bench.token(of: "phone")
            let features = (0..<5_000).map { second in
                let time = Timestamp(secondsSince1970: 1_772_300_000 + Int64(second)).rfc3339(.seconds)
                return Self.feature.replacingOccurrences(of: "2026-03-01T10:00:00Z", with: time)
            }
            // A portion of them has nothing of the format.
            let strange = Array(repeating: "{}", count: 4_500)
            let body = Array(#"{"locations":[\#((features + strange).joined(separator: ","))]}"#.utf8)
            let packed = Deflater()?.deflate(body[...], finishing: true)
            let sent = isPacked ? try #require(packed) : body
            let reply = await RawReply.to(
                "POST", "/dump?token=\(token)", isPacked ? ["Content-Encoding": "gzip"] : [:], body: sent,
                at: bench.port)
            #expect(reply.body == #"{"result":"ok"}"#)
            #expect(try await bench.points(of: "phone").count == 5_000)
            let cut = await RawReply.to("POST", "/dump?token=\(token)", body: Array(body.dropLast(2)), at: bench.port)
            #expect(cut.status == 400)
            let nothing = #"{"locations":[\#(Array(repeating: "{}", count: 90_000).joined(separator: ","))]}"#
            #expect(try await bench.send("POST", "/dump?token=\(token)", body: nothing).status == 400)
        }
    }

    @Test func `A third request of a sender waits its turn, and others do not`() async throws {
        try await ServerBench.with { bench in
            let (slow, quick) = (try bench.token(of: "slow"), try bench.token(of: "quick"))
            let body = #"{"locations":[\#(Self.feature)]}"#
            let open = SystemMutex<[Int32]>([])
            defer { open.withLock { for descriptor in $0 { close(descriptor) } } }
            await eventually("one is refused while two are slow") {
                // Which come first is chance, so there is one slow request more each time.
                guard let descriptor = LoopbackSocket.connect(to: .ipv4(bench.port)) else { return false }
                open.withLock { $0.append(descriptor) }
                let head = "POST /dump?token=\(slow) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{"
                #expect(Foundation.send(descriptor, head, head.utf8.count, Int32(MSG_NOSIGNAL)) == head.utf8.count)
                let reply = try? await bench.send("POST", "/dump?token=\(slow)", body: body)
                return reply?.status == 429 && reply?.head.contains("Retry-After: 1") == true
            }
            #expect(try await bench.send("POST", "/dump?token=\(quick)", body: body).status == 200)
        }
    }

    @Test func `A long batch comes in portions, whole`() async throws {
        try await ServerBench.with { bench in
            let token = try bench.token(of: "phone")
            let features = (0..<4_500).map { second in
                Self.feature.replacingOccurrences(
                    of: "2026-03-01T10:00:00Z", with: "\(1_772_300_000 + second)"
                ).replacingOccurrences(of: "\"\(1_772_300_000 + second)\"", with: "\(1_772_300_000 + second)")
            }
            let reply = try await bench.send(
                "POST", "/dump?token=\(token)", body: #"{"locations":[\#(features.joined(separator: ","))]}"#)
            #expect(reply.status == 200)
            #expect(try await bench.points(of: "phone").count == 4_500)
        }
    }
}
