import TestSupport
import Testing
import TrackEngine
import TrackEngineServer

@Suite("Security", .timeLimit(.minutes(30)))
struct SecurityTests {
    private static let body = #"{"locations":[\#(ReceivingTests.feature)]}"#

    @Test(arguments: ["", "wrong", "%00", String(repeating: "a", count: 5000)])
    func `Without a token nothing is taken`(_ token: String) async throws {
        try await ServerBench.with { bench in
            _ = try bench.token(of: "phone")
            for target in ["/dump?token=\(token)", "/t/\(token.isEmpty ? "x" : token)/dump"] {
                let reply = try await bench.send("POST", target, body: Self.body)
                #expect(reply.status == 401)
            }
            #expect(try await bench.points(of: "phone").isEmpty)
        }
    }

    @Test(arguments: ["/api/devices", "/api/path?device=a&from=0&to=1", "/api/rejected", "/coordinates"])
    func `Without the key nothing is told, and a device's token is no key`(_ target: String) async throws {
        try await ServerBench.with { bench in
            let token = try bench.token(of: "phone")
            #expect(try await bench.send("GET", target).status == 401)
            #expect(try await bench.send("GET", target, ["Authorization": "Bearer \(token)"]).status == 401)
            #expect(try await bench.send("GET", target, ["Authorization": "Bearer \(bench.key)"]).status == 200)
            let session = try await bench.session()
            #expect(await session.ask("GET", target, at: bench.port).status == 200)
        }
    }

    @Test func `The key sends nothing, and a token that was taken away sends nothing any more`() async throws {
        try await ServerBench.with { bench in
            let token = try bench.token(of: "phone")
            #expect(try await bench.send("POST", "/dump?token=\(bench.key)", body: Self.body).status == 401)
            #expect(try await bench.send("POST", "/dump?token=\(token)", body: Self.body).status == 200)
            #expect(try bench.access.remove("phone"))
            #expect(try await bench.send("POST", "/dump?token=\(token)", body: Self.body).status == 401)
        }
    }

    @Test(arguments: ["evil.example", "evil.example:8080", "127.0.0.1.evil.example", "[::1", ""])
    func `A request for another name is refused`(_ host: String) async throws {
        try await ServerBench.with { bench in
            let reply = try await bench.exchange(
                "GET /api/devices?key=\(bench.key) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n")
            #expect(reply.status == 421 || reply.status == 400)
        }
    }

    @Test(arguments: [
        ("GET /status", "Host: 127.0.0.1\r\nHost: evil.example", 400),
        ("GET /status", "Host: 127.0.0.1\r\nHost: 127.0.0.1", 400),
        ("GET http://evil.example/status", "Host: 127.0.0.1", 400),
        ("GET http://127.0.0.1@evil.example/status", "Host: 127.0.0.1", 400),
        ("GET ftp://127.0.0.1/status", "Host: 127.0.0.1", 400),
        ("GET http://127.0.0.1/status", "Host: 127.0.0.1", 200), ("GET /status", "Host: 127.0.0.1", 200),
    ])
    func `A request names one host`(_ line: String, _ fields: String, _ status: Int) async throws {
        try await ServerBench.with { bench in
            let reply = try await bench.exchange("\(line) HTTP/1.1\r\n\(fields)\r\nConnection: close\r\n\r\n")
            #expect(reply.status == status)
        }
    }

    @Test func `A name that the configuration gives is the server's`() async throws {
        var configuration = ServerConfiguration()
        configuration.names = ["Van.Example.ORG"]
        try await ServerBench.with(configuration) { bench in
            let reply = try await bench.send("GET", "/api/devices?key=\(bench.key)", ["Host": "van.example.org:8080"])
            #expect(reply.status == 200)
        }
    }

    @Test func `Pages may run no script but the server's own, and are not kept by caches`() async throws {
        try await ServerBench.with { bench in
            let head = try await bench.send("GET", "/status").head
            #expect(head.contains("script-src 'self'"))
            #expect(head.contains("frame-ancestors 'none'"))
            #expect(head.contains("nosniff"))
            #expect(head.contains("no-store"))
            #expect(!head.lowercased().contains("access-control-allow"))
        }
    }

    @Test func `A body beyond the bound is refused without being read to its end`() async throws {
        try await ServerBench.with { bench in
            let token = try bench.token(of: "phone")
            let reply = try await bench.send(
                "POST", "/dump?token=\(token)", ["Content-Length": "\(1 << 40)"],
                body: String(repeating: " ", count: 11 << 20))
            #expect(reply.status == 413)
            #expect(try await bench.send("GET", "/status").status == 200)
        }
    }

    @Test(arguments: [("0.0.0.0", false, true), ("0.0.0.0", true, false), ("127.0.0.1", false, false)])
    func `Other machines are not listened to in the clear unless that is allowed`(
        _ host: String, _ allowInsecure: Bool, _ isRefused: Bool
    ) async throws {
        var configuration = ServerConfiguration()
        configuration.host = host
        configuration.allowInsecure = allowInsecure
        let wanted = configuration
        if isRefused {
            await #expect(throws: ServerError.self) { try await ServerBench.with(wanted) { _ in } }
        } else {
            try await ServerBench.with(wanted) { bench in
                let reply = try await bench.send("GET", "/status")
                #expect(reply.status == 200)
            }
        }
    }

    @Test func `A stale cookie beside the right key does no harm, and each server has a cookie of its own`()
        async throws
    {
        try await ServerBench.with { bench in
            let name = try await bench.session().cookie.prefix { $0 != "=" }
            let reply = try await bench.send(
                "GET", "/api/devices", ["Cookie": "\(name)=old", "Authorization": "Bearer \(bench.key)"])
            #expect(reply.status == 200)
            try await ServerBench.with { other in
                let others = try await other.session().cookie.prefix { $0 != "=" }
                #expect(others != name)
            }
        }
    }

    @Test(arguments: [["/dump"], ["/pub"], ["/api/input", "/api/input/"], ["/t/x"], ["/page/x"], ["/api/devices"]])
    func `A path that has a meaning already is refused, and no reason to crash`(_ paths: [String]) async throws {
        var configuration = ServerConfiguration()
        configuration.overlandPaths = paths
        let wanted = configuration
        await #expect(throws: ServerError.self) { try await ServerBench.with(wanted) { _ in } }
    }

    @Test func `A path of one's own takes Overland's format`() async throws {
        var configuration = ServerConfiguration()
        configuration.overlandPaths = ["/api/input"]
        try await ServerBench.with(configuration) { bench in
            let token = try bench.token(of: "phone")
            #expect(try await bench.send("POST", "/api/input?token=\(token)", body: Self.body).status == 200)
        }
    }

    @Test func `A link on another site leads to the page where the browser has its key`() async throws {
        try await ServerBench.with { bench in
            // The cookie is strict, so such a visit shows none; the visit that the refresh makes does.
            let first = try await bench.send("GET", "/", ["Sec-Fetch-Site": "cross-site"])
            #expect(first.status == 401 && first.head.contains("Refresh: 0;url=/"))
            let second = try await bench.send("GET", "/", ["Sec-Fetch-Site": "same-origin"])
            #expect(second.status == 401 && !second.head.contains("Refresh"))
            let known = try await bench.send(
                "GET", "/", ["Sec-Fetch-Site": "same-origin", "Cookie": try await bench.session().cookie])
            #expect(known.status == 200)
        }
    }
}
