import TestSupport
import Testing
import TrackEngine
import TrackEngineServer
import TrackEngineSettings

/// The audit entries of changes that come by the page's routes and by commands.
@Suite(.timeLimit(.minutes(15))) struct AuditRoutesTests {
    private static let json = ["Content-Type": "application/json", "Sec-Fetch-Site": "same-origin"]

    /// A change: method, target, body, and the part of it that an entry names.
    private struct Change {
        let method: String
        let target: String
        var body = ""

        var entry: String { "\(method) \(target.prefix { $0 != "?" }) of van-7" }
    }

    private static let changes: [Change] = {
        let visit = EventRoutesTests.visit(0, 60)
        let correction =
            #"{"kind":"visit","id":"\#(visit.id)","from":"\#(visit.begin.rfc3339(.seconds))","change":{"rename":"Canary"}}"#
        return [
            Change(method: "POST", target: "/api/places", body: KeptPlaces.circle("canary", "Canary")),
            Change(method: "POST", target: "/api/corrections", body: correction),
            Change(method: "POST", target: "/api/trip", body: #"{"mode":"train"}"#),
            Change(method: "DELETE", target: "/api/trip"),
            Change(method: "DELETE", target: "/api/places?id=canary"),
        ]
    }()

    /// A server whose agent looks after places and trips.
    private static func with(_ body: @Sendable (ServerBench) async throws -> Void) async throws {
        let scene = SharingScene(ownDevice: "van-7", places: KeptPlaces()) { _ in
            Array(#"{"wasUnderWay":false}"#.utf8)
        }
        try await ServerBench.with(sharing: scene, body)
    }

    /// The entries without their times; each begins with one.
    private static func entries(_ audit: AuditLog) throws -> [String] {
        try audit.lines().map { line in
            let time = line.prefix { $0 != " " }
            #expect(Timestamp(rfc3339: time) != nil, "\(line)")
            return String(line.dropFirst(time.count + 1))
        }
    }

    /// What must be in no entry: names of places, positions, modes of trips.
    private static func expectNoContents(_ entries: [String], _ secrets: String...) {
        for text in ["anary", "53.", "9.98", "train", "rename"] + secrets {
            #expect(!entries.contains { $0.contains(text) }, "\(text) in \(entries)")
        }
    }

    @Test func `each change by the key for editing is there with its address and without its contents`() async throws {
        try await Self.with { bench in
            let key = try bench.access.allowEditing().secret.revealed
            let fields = Self.json.merging(["Authorization": "Bearer \(key)"]) { $1 }
            for change in Self.changes {
                let reply = try await bench.send(change.method, change.target, fields, body: change.body)
                #expect(reply.status == 200, "\(change.entry): \(reply.body)")
            }
            let entries = try Self.entries(bench.access.audit)
            #expect(entries == Self.changes.map { "127.0.0.1: \($0.entry)" })
            Self.expectNoContents(entries, key)
        }
    }

    @Test func `each change by a viewer is there with the viewer's name, and one that was refused is none`()
        async throws
    {
        try await Self.with { bench in
            for (name, mayEdit, status) in [("anna", true, 200), ("bert", false, 403)] {
                try bench.access.addViewer(name, mayEdit: mayEdit, devices: ["van-7"])
                let link = "/?once=" + (try bench.access.makeLink(for: name).secret.revealed)
                let session = try #require(await PageSession(opening: link, at: bench.port))
                for change in Self.changes {
                    let reply = await session.ask(
                        change.method, change.target, Self.json, body: change.body, at: bench.port)
                    #expect(reply.status == status, "\(name), \(change.entry): \(reply.body)")
                }
            }
            let entries = try Self.entries(bench.access.audit)
            #expect(entries.filter { !$0.contains("session") } == Self.changes.map { "anna (127.0.0.1): \($0.entry)" })
            Self.expectNoContents(entries)
        }
    }

    @Test func `a right that ends while the body comes gives no change and no entry`() async throws {
        try await Self.with { bench in
            try bench.access.addViewer("anna", mayEdit: true, devices: nil)
            let link = "/?once=" + (try bench.access.makeLink(for: "anna").secret.revealed)
            let session = try #require(await PageSession(opening: link, at: bench.port))
            let body = KeptPlaces.circle("canary", "Canary")
            let request = try await OpenRequest(
                "POST /api/places?\(session.proof) HTTP/1.1\r\nHost: 127.0.0.1:\(bench.port)\r\n"
                    + "Cookie: \(session.cookie)\r\n"
                    + "Content-Type: application/json\r\nSec-Fetch-Site: same-origin\r\nConnection: close\r\n"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n" + body.prefix(1), to: bench)
            // Later requests are answered, so the server has read the head.
            for _ in 0..<5 { _ = try await bench.send("GET", "/status") }
            #expect(try bench.access.removeViewer("anna"))
            #expect(request.sends(String(body.dropFirst())))
            #expect(await request.reads().hasPrefix("HTTP/1.1 401"))
            #expect(try !Self.entries(bench.access.audit).contains { $0.contains("POST") })
        }
    }

    @Test func `tokens that a command makes and removes are there, without the tokens`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            var settings = ServerSettings()
            settings.directory = directory + "/server"
            let registry = try settings.deviceRegistry(encryptedUnder: nil)
            let tokens = [
                try registry.admit("phone", isGateway: false), try registry.admit("fleet", isGateway: true),
            ]
            #expect(try registry.dismiss("phone") && registry.dismiss("fleet"))
            #expect(try !registry.dismiss("phone"))
            let audit = try AccessFile(path: settings.directory + "/access.json").audit
            let entries = try Self.entries(audit)
            #expect(
                entries == [
                    "a command: a token of phone was made", "a command: a token of the gateway fleet was made",
                    "a command: the token of phone was removed", "a command: the token of fleet was removed",
                ])
            Self.expectNoContents(entries, tokens[0].revealed, tokens[1].revealed)
        }
    }
}
