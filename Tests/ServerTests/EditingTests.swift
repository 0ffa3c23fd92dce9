import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory
import TrackEngineServer

@Suite("Editing places and corrections", .timeLimit(.minutes(30)))
struct EditingTests {
    private static let feature = KeptPlaces.circle("new", "Shed")

    /// A server whose agent looks after places, and the key for editing.
    private static func with(
        _ places: KeptPlaces? = KeptPlaces(KeptPlaces.circle("home", "Home")),
        _ body: @Sendable (ServerBench, String) async throws -> Void
    ) async throws {
        try await ServerBench.with(sharing: SharingScene(ownDevice: "van-7", places: places)) { bench in
            try await body(bench, try bench.access.allowEditing().secret.revealed)
        }
    }

    private static let json = ["Content-Type": "application/json"]

    private static func bearer(_ key: String, _ more: [String: String] = json) -> [String: String] {
        more.merging(["Authorization": "Bearer \(key)"]) { first, _ in first }
    }

    @Test func `At first nobody may edit: the key for reading reads, and the link says what there is`() async throws {
        let places = KeptPlaces(KeptPlaces.circle("home", "Home"))
        try await ServerBench.with(sharing: SharingScene(ownDevice: "van-7", places: places)) { bench in
            let told = try await bench.send("GET", "/api/places?key=\(bench.key)")
            #expect(told.status == 200)
            #expect(
                told.body.hasPrefix(
                    #"{"device":"van-7","mayEdit":false,"mayDelete":false,"places":{"type":"FeatureCollection""#))
            let requests = [
                ("POST", "/api/places", Self.feature), ("DELETE", "/api/places?id=home", ""),
                ("POST", "/api/corrections", "{}"),
            ]
            let token = try bench.token(of: "phone")
            for (method, target, body) in requests {
                #expect(try await bench.send(method, target, Self.json, body: body).status == 401)
                #expect(try await bench.send(method, target, Self.bearer(token), body: body).status == 401)
                let refused = try await bench.send(method, target, Self.bearer(bench.key), body: body)
                #expect(refused.status == 403 && refused.body.contains("trackd device link --edit"))
            }
            #expect(places.told.isEmpty)
        }
    }

    @Test func `The key for editing reads and edits, until it is taken away`() async throws {
        let places = KeptPlaces(KeptPlaces.circle("home", "Home"))
        try await Self.with(places) { bench, key in
            #expect(try await bench.send("GET", "/api/devices?key=\(key)").status == 200)
            #expect(try await bench.send("GET", "/api/places?key=\(key)").body.contains(#""mayEdit":true"#))
            #expect(try await bench.send("POST", "/api/places", Self.bearer(key), body: Self.feature).status == 200)
            #expect(try await bench.send("DELETE", "/api/places?id=home", Self.bearer(key)).status == 200)
            let id = EventRoutesTests.visit(0, 60).id
            let change =
                #"{"kind":"visit","id":"\#(id)","from":"2026-03-01T00:00:00.000000000Z","change":{"rename":"Cellar"}}"#
            #expect(try await bench.send("POST", "/api/corrections", Self.bearer(key), body: change).status == 200)
            #expect(places.told == ["keep new Shed", "remove home", "correct"])
            let corrections = try await bench.send("GET", "/api/corrections?key=\(bench.key)")
            #expect(
                corrections.body == #"{"device":"van-7","mayEdit":false,"mayDelete":false,"corrections":[\#(change)]}"#)
            // Nobody sends with it.
            #expect(try await bench.send("POST", "/dump?token=\(key)", body: #"{"locations":[]}"#).status == 401)
            #expect(try bench.access.forbidEditing())
            #expect(try await bench.send("POST", "/api/places", Self.bearer(key), body: Self.feature).status == 401)
            #expect(try await bench.send("GET", "/api/devices?key=\(key)").status == 401)
        }
    }

    @Test func `A cookie alone is not enough: a request of another page is refused`() async throws {
        let places = KeptPlaces()
        try await Self.with(places) { bench, key in
            let session = try await bench.session(of: key)
            let host = "127.0.0.1:\(bench.port)"
            let foreign: [[String: String]] = [
                [:], ["Origin": "http://evil.example"], ["Origin": "null"], ["Origin": "http://127.0.0.1:1"],
                ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site", "Origin": "http://\(host)"],
                ["Sec-Fetch-Site": "none"],
            ]
            for fields in foreign {
                let all = fields.merging(Self.json) { $1 }.merging(["Host": host]) { $1 }
                let reply = await session.ask("POST", "/api/places", all, body: Self.feature, at: bench.port)
                #expect(reply.status == 403, "\(fields)")
            }
            #expect(places.told.isEmpty)
            for fields in [["Origin": "http://\(host)"], ["Sec-Fetch-Site": "same-origin"]] {
                let all = fields.merging(Self.json) { $1 }.merging(["Host": host]) { $1 }
                let reply = await session.ask("POST", "/api/places", all, body: Self.feature, at: bench.port)
                #expect(reply.status == 200, "\(fields)")
            }
        }
    }

    @Test func `Points are deleted with the key for editing, and not by a page of another site`() async throws {
        try await Self.with { bench, key in
            let target = "/api/points?device=a&from=0&to=1"
            let reading = try await bench.send("DELETE", target, Self.bearer(bench.key))
            #expect(reading.status == 403 && reading.body.contains("trackd device link --edit"))
            #expect(try await bench.send("DELETE", target).status == 401)
            let token = try bench.token(of: "phone")
            #expect(try await bench.send("DELETE", target, Self.bearer(token)).status == 401)
            let foreign: [[String: String]] = [
                [:], ["Origin": "http://evil.example"], ["Sec-Fetch-Site": "cross-site"],
            ]
            let session = try await bench.session(of: key)
            let host = ["Host": "127.0.0.1:\(bench.port)"]
            for fields in foreign {
                let all = fields.merging(host) { $1 }
                #expect(await session.ask("DELETE", target, all, at: bench.port).status == 403, "\(fields)")
            }
            let own = host.merging(["Sec-Fetch-Site": "same-origin"]) { $1 }
            #expect(await session.ask("DELETE", target, own, at: bench.port).status == 200)
            #expect(try await bench.send("DELETE", target, Self.bearer(key)).status == 200)
        }
    }

    @Test func `What is wrong with a change is said, and the whole list is never removed by accident`() async throws {
        let places = KeptPlaces()
        try await Self.with(places) { bench, key in
            let form = Self.bearer(key, ["Content-Type": "application/x-www-form-urlencoded"])
            let long = String(repeating: " ", count: 1 << 20) + Self.feature
            let wrong = [
                ("POST", "/api/places", form, Self.feature, 400), ("POST", "/api/places", Self.bearer(key), "[]", 400),
                ("DELETE", "/api/places", Self.bearer(key), "", 400),
                ("DELETE", "/api/places?id=", Self.bearer(key), "", 400),
                ("POST", "/api/places", Self.bearer(key), long, 413),
            ]
            for (method, target, fields, body, status) in wrong {
                let reply = try await bench.send(method, target, fields, body: body)
                #expect(reply.status == status, "\(method) \(target)")
            }
            #expect(places.told.isEmpty)
        }
    }

    @Test func `An agent without places has none, and takes none`() async throws {
        try await Self.with(nil) { bench, key in
            let told = try await bench.send("GET", "/api/places?key=\(key)")
            #expect(told.body == #"{"device":"van-7","mayEdit":false,"mayDelete":true,"places":null}"#)
            #expect(try await bench.send("POST", "/api/places", Self.bearer(key), body: Self.feature).status == 404)
        }
    }

    @Test func `Corrections are laid over the days of the agent's own device`() async throws {
        let places = KeptPlaces()
        try await Self.with(places) { bench, key in
            let events = [EventRoutesTests.visit(0, 60, at: "Home"), EventRoutesTests.trip(60, 70)]
            for device in ["van-7", "other"] as [DeviceID] {
                _ = try await bench.history.add([], events: events, of: device)
            }
            for (event, kind, change) in [
                (events[0], "visit", #"{"rename":"Cellar"}"#), (events[1], "trip", #"{"reject":true}"#),
            ] {
                let begin = event.begin.rfc3339(.seconds)
                let body = #"{"kind":"\#(kind)","id":"\#(event.id)","from":"\#(begin)","change":\#(change)}"#
                #expect(try await bench.send("POST", "/api/corrections", Self.bearer(key), body: body).status == 200)
            }
            let begin = EventRoutesTests.begin.secondsSince1970
            for device in ["van-7", "other"] {
                let query = "device=\(device)&from=\(begin)&to=\(begin + 86_400)&key=\(key)"
                let day = try JSONValue.parse(Array(try await bench.send("GET", "/api/day?\(query)").body.utf8))
                let isOwn = device == "van-7"
                #expect(day["visits"]?.array?.first?["place"]?["name"]?.string == (isOwn ? "Cellar" : "Home"))
                #expect(day["trips"]?.array?.count == (isOwn ? 0 : 1))
                #expect(day["rejected"]?.array?.map { $0["id"]?.string } == (isOwn ? ["\(events[1].id)"] : []))
            }
        }
    }
}
