import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory
import TrackEngineServer
import TrackEngineSettings

/// People with names and rights of their own.
@Suite(.timeLimit(.minutes(15))) struct NamedViewerTests {
    private static let times = "from=1772359000&to=1772370000"

    /// A server with a point of two devices, and the session of a viewer.
    private static func with(
        mayEdit: Bool = false, devices: [DeviceID]?, sharing: SharingScene? = nil,
        _ body: @Sendable (ServerBench, PageSession) async throws -> Void
    ) async throws {
        try await ServerBench.with(sharing: sharing) { bench in
            for device: DeviceID in ["van", "home"] {
                let fix = Fix(time: ServerBench.now, coordinate: Coordinate(latitude: 53.5, longitude: 10))
                _ = try await bench.history.add([HistoryPoint(fix: fix)], of: device)
            }
            try bench.access.addViewer("anna", mayEdit: mayEdit, devices: devices)
            let link = "/?once=" + (try bench.access.makeLink(for: "anna").secret.revealed)
            try await body(bench, try #require(await PageSession(opening: link, at: bench.port)))
        }
    }

    @Test func `a viewer sees the devices that were named, and nothing of others`() async throws {
        let scene = SharingScene(ownDevice: "home")
        try await Self.with(devices: ["van"], sharing: scene) { bench, anna in
            let devices = await anna.ask("GET", "/api/devices", at: bench.port).body
            #expect(devices.contains(#""name":"van""#) && !devices.contains("home"))
            for path in ["path", "events", "day", "export", "rejections", "modes"] {
                let own = await anna.ask("GET", "/api/\(path)?device=van&\(Self.times)", at: bench.port)
                let other = await anna.ask("GET", "/api/\(path)?device=home&\(Self.times)", at: bench.port)
                #expect(own.status == 200 && other.status == 403, "\(path): \(own.status), \(other.status)")
            }
            #expect(await anna.ask("GET", "/api/summaries?device=home&bounds=1,2", at: bench.port).status == 403)
            for target in ["/api/status", "/metrics", "/api/places", "/api/sharing", "/coordinates"] {
                #expect(await anna.ask("GET", target, at: bench.port).status == 401, "\(target)")
            }
            for query in ["", "?device=van"] {
                #expect(await anna.ask("GET", "/api/rejected" + query, at: bench.port).status == 403)
            }
        }
    }

    @Test func `what happens is shown of the devices that were named alone`() async throws {
        try await Self.with(devices: ["van"]) { bench, anna in
            let request = try await OpenRequest(
                "GET /api/live?\(anna.proof) HTTP/1.1\r\nHost: 127.0.0.1:\(bench.port)\r\nCookie: \(anna.cookie)\r\n\r\n",
                to: bench)
            _ = await request.reads(until: ": \n")
            for device: DeviceID in ["home", "van"] {
                for _ in 0..<2 {
                    let fix = Fix(time: ServerBench.now, coordinate: Coordinate(latitude: 53.5, longitude: 10))
                    bench.server.show(.rejected(fix: fix, source: "gpsd", reason: .tooNear), of: device)
                }
            }
            let text = await request.reads(until: #""name":"van""#)
            #expect(text.contains(#""name":"van""#) && !text.contains("home"))
        }
    }

    @Test func `what happens is shown until the right is withdrawn, and not until the next sign of life`() async throws
    {
        try await Self.with(devices: ["van"]) { bench, anna in
            let request = try await OpenRequest(
                "GET /api/live?\(anna.proof) HTTP/1.1\r\nHost: 127.0.0.1:\(bench.port)\r\nCookie: \(anna.cookie)\r\n"
                    + "Connection: close\r\n\r\n",
                to: bench)
            _ = await request.reads(until: ": \n")
            #expect(try bench.access.removeViewer("anna"))
            let fix = Fix(time: ServerBench.now, coordinate: Coordinate(latitude: 53.5, longitude: 10))
            bench.server.show(.rejected(fix: fix, source: "gpsd", reason: .tooNear), of: "van")
            let text = await request.reads()
            #expect(!text.contains("van"), "\(text)")
        }
    }

    @Test func `a viewer who may edit changes what was named, and one who may not nothing`() async throws {
        for (mayEdit, status) in [(true, 200), (false, 403)] {
            try await Self.with(mayEdit: mayEdit, devices: ["van"]) { bench, anna in
                func delete(_ device: String) async -> Int {
                    await anna.ask(
                        "DELETE", "/api/points?device=\(device)&\(Self.times)", ["Sec-Fetch-Site": "same-origin"],
                        at: bench.port
                    ).status
                }
                #expect(await delete("home") == 403)
                #expect(await delete("van") == status)
            }
        }
    }

    @Test func `a viewer's rights end with the viewer, and other keys do not end them`() async throws {
        try await Self.with(devices: nil) { bench, anna in
            try bench.access.renewKeys()
            #expect(await anna.ask("GET", "/api/devices", at: bench.port).status == 200)
            #expect(await anna.ask("GET", "/api/status", at: bench.port).status == 200)
            #expect(try bench.access.removeViewer("anna"))
            #expect(await anna.ask("GET", "/api/devices", at: bench.port).status == 401)
            #expect(throws: ServerError.self) { try bench.access.makeLink(for: "anna") }
        }
    }

    @Test func `a name is taken once, and is one line`() async throws {
        try await ServerBench.with { bench in
            try bench.access.addViewer("anna", mayEdit: false, devices: nil)
            for name in ["anna", "", "two\nlines"] {
                #expect(throws: ServerError.self) {
                    try bench.access.addViewer(name, mayEdit: false, devices: nil)
                }
            }
        }
    }
}
