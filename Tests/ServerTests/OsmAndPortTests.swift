import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineServer

@Suite("A port for Traccar's clients", .timeLimit(.minutes(30)))
struct OsmAndPortTests {
    @Test func `It takes at its root what they send, and has nothing else`() async throws {
        let port = try ReservedPort()
        var configuration = ServerConfiguration()
        configuration.osmAndPort = port.number
        try await ServerBench.with(configuration) { bench in
            let token = try bench.token(of: "phone")
            let sent = await RawReply.to(
                "GET", "/?id=\(token)&lat=53.55&lon=9.98&timestamp=1772359200", at: port.number)
            #expect(sent.status == 200)
            let posted = await RawReply.to(
                "POST", "/", ["Content-Type": "application/x-www-form-urlencoded"],
                body: "id=\(token)&lat=53.56&lon=9.98&timestamp=1772359260", at: port.number)
            #expect(posted.status == 200)
            #expect(try await bench.points(of: "phone").count == 2)
            let json = await RawReply.to(
                "POST", "/", ["Content-Type": "application/json"],
                body:
                    #"{"device_id":"\#(token)","location":{"timestamp":"2026-03-01T10:02:00Z","coords":{"latitude":53.57,"longitude":9.98}}}"#,
                at: port.number)
            #expect(json.status == 200)
            #expect(try await bench.points(of: "phone").count == 3)
            for body in ["", "id=nobody&lat=1&lon=2", "{", #"{"device_id":7}"#] {
                #expect(await RawReply.to("POST", "/", body: body, at: port.number).status == 400)
            }
            let long = await RawReply.to("POST", "/", body: String(repeating: "a", count: 70_000), at: port.number)
            #expect(long.status == 413)
            let packed = await RawReply.to(
                "POST", "/", ["Content-Encoding": "br"], body: "id=\(token)&lat=1&lon=2", at: port.number)
            #expect(packed.status == 415)
            let unknown = await RawReply.to("GET", "/?id=nobody&lat=1&lon=2&timestamp=1772359200", at: port.number)
            #expect(unknown.status == 400)
            for target in ["/api/devices?key=\(bench.key)", "/page/app.js", "/healthz", "/dump"] {
                #expect(await RawReply.to("GET", target, at: port.number).status == 404)
            }
            let asked = await RawReply.to("HEAD", "/?id=\(token)&lat=1&lon=2&timestamp=1772359320", at: port.number)
            #expect(asked.status == 405)
            #expect(try await bench.points(of: "phone").count == 3, "HEAD sends nothing")
            let foreign = await RawReply.to(
                "GET", "/?id=\(token)&lat=1&lon=2&timestamp=1772359200", ["Host": "evil.example"], at: port.number)
            #expect(foreign.status == 421)
        }
    }

    @Test(arguments: [
        "lat=53,07&lon=8,80", "lat={-8.88}&lon={13.2}", "lat=53.07&lon=8,80", "lat=&lon=", "lat=%25LAT&lon=%25LON",
    ])
    func `A place that cannot be read is refused there, too, listed, and not kept`(_ place: String) async throws {
        let port = try ReservedPort()
        var configuration = ServerConfiguration()
        configuration.osmAndPort = port.number
        try await ServerBench.with(configuration) { bench in
            let token = try bench.token(of: "phone")
            let text = "id=\(token)&\(place)&timestamp=1772359200&speed=3"
            #expect(await RawReply.to("GET", "/?" + text, at: port.number).status == 400)
            let form = ["Content-Type": "application/x-www-form-urlencoded"]
            #expect(await RawReply.to("POST", "/", form, body: text, at: port.number).status == 400)
            #expect(try await bench.points(of: "phone").isEmpty)
            let list = try JSONValue.parse(
                Array(try await bench.send("GET", "/api/rejected?key=\(bench.key)").body.utf8))
            #expect(list["total"]?.number == 2)
            let entries = list["newest"]?.array?.map { [$0["sender"]?.string, $0["format"]?.string] }
            #expect(entries?.allSatisfy { $0 == ["phone", "osmand"] } == true, "\(list)")
        }
    }

    @Test func `A port that is taken is named, and nobody is told where the page is`() async throws {
        let taken = try ReservedPort()
        let socket = try LoopbackSocket.listen(at: .ipv4(taken.number), backlog: 1)
        defer { close(socket) }
        var configuration = ServerConfiguration()
        configuration.osmAndPort = taken.number
        let error = await #expect(throws: ServerError.self) {
            try await ServerBench.with(configuration) { _ in Issue.record("it says that it listens") }
        }
        expectMessage(
            error?.description, begin: "osmandPort = \(taken.number)", replacing: ["\(taken.number)": "PORT"])
    }
}
