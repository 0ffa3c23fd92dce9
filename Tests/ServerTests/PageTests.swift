import TestSupport
import Testing
import TrackEngineServer

@Suite("Page", .timeLimit(.minutes(30)))
struct PageTests {
    @Test func `The link with the key becomes a session and takes the key out of the address`() async throws {
        try await ServerBench.with { bench in
            let reply = try await bench.send("GET", "/?key=\(bench.key)")
            #expect(reply.status == 303)
            #expect(reply.head.contains("Location: /?proof="))
            #expect(reply.head.contains("; Path=/; Max-Age=7776000; HttpOnly; SameSite=Strict"))
            #expect(!reply.head.contains(bench.key))
            let session = try await bench.session()
            let fields = ["Cookie": session.cookie, "Host": "127.0.0.1:\(bench.port)"]
            let page = try await bench.send("GET", "/", fields)
            #expect(page.status == 200)
            #expect(page.head.contains("text/html; charset=utf-8"))
            #expect(page.body.contains(#"<script src="/page/app.js" type="module">"#))
        }
    }

    @Test(arguments: ["/", "/?key=wrong", "/?key="])
    func `Without the key there is a word about where it is`(_ target: String) async throws {
        try await ServerBench.with { bench in
            let reply = try await bench.send("GET", target)
            #expect(reply.status == 401)
            #expect(reply.body.contains("This page needs a key"))
            #expect(!reply.head.contains("Set-Cookie"))
        }
    }

    @Test(arguments: [
        "index.html", "style.css", "app.js", "map.js", "live.js", "history.js", "format.js", "land.json", "colours.js",
        "session.js", "storage.js", "vehicle.js", "places.js", "rejected.js", "nomap.js", "ground.js", "agent.js",
        "devices.js",
        "groups.js", "drawing.js", "pieces.js",
        "player.js", "chart.js", "tiles.js", "ask.js", "modes.js", "day.js", "daymap.js", "timeline.js", "diary.js",
        "corrections.js", "areas.js", "areaeditor.js",
    ])
    func `Every file of the page is there, and together they are small`(_ name: String) async throws {
        try await ServerBench.with { bench in
            let reply = try await bench.send("GET", "/page/\(name)")
            #expect(reply.status == 200)
            #expect(reply.body.utf8.count < 80_000)
            // Nothing is asked of anybody else, and nothing stands in the page that its own policy would refuse.
            #expect(!reply.body.contains("https://") || name == "land.json")
            #expect(
                !reply.body.contains("style=\"") && !reply.body.contains("innerHTML") && !reply.body.contains("eval("))
        }
    }

    @Test(arguments: [
        "/page/../access.json", "/page/..%2f..%2fetc%2fpasswd", "/page/%2e%2e/access.json", "/page/secret.html",
        "/leaflet/../../../../etc/passwd", "/leaflet/leaflet-src.js", "/leaflet/images/..%2fleaflet.js", "/page/",
        "/page",
    ])
    func `No other file can be asked for`(_ target: String) async throws {
        try await ServerBench.with { bench in
            let reply = try await bench.send("GET", target)
            #expect(reply.status == 404 || reply.status == 400)
        }
    }
}
