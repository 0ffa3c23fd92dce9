import NIOCore
import TestSupport
import Testing
import TrackEngine
import TrackEngineServer

@Suite("Behind a proxy", .timeLimit(.minutes(30)))
struct ProxyTests {
    private static func configuration(_ proxies: [String]) -> ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.names = ["tracks.example.org"]
        configuration.trustedProxies = proxies
        return configuration
    }

    @Test(arguments: [
        (["127.0.0.1"], "https", true), (["127.0.0.0/8"], "http, https", true), (["127.0.0.1"], "https, http", false),
        (["127.0.0.1"], "http", false), (["10.0.0.0/8"], "https", false), ([], "https", false),
    ])
    func `The cookie is for TLS alone where a trusted proxy says that the request came with TLS`(
        _ proxies: [String], _ scheme: String, _ isSecure: Bool
    ) async throws {
        try await ServerBench.with(Self.configuration(proxies)) { bench in
            let reply = try await bench.send("GET", "/?key=\(bench.key)", ["X-Forwarded-Proto": scheme])
            #expect(reply.status == 303)
            #expect(reply.head.contains("; Secure") == isSecure)
        }
    }

    @Test(arguments: [
        (["127.0.0.1"], "https", true), (["127.0.0.1"], "https, http", false), (["127.0.0.1"], "http", false),
        (["127.0.0.1"], "", false), (["10.0.0.0/8"], "https", false), ([], "https", false), ([], "", false),
    ])
    func `Browsers are told to come with TLS alone where a trusted proxy says that they did`(
        _ proxies: [String], _ scheme: String, _ isTold: Bool
    ) async throws {
        try await ServerBench.with(Self.configuration(proxies)) { bench in
            let targets = [
                ("/status", 200), ("/api/devices?key=\(bench.key)", 200), ("/api/devices", 401), ("/page/none", 404),
                ("/none", 404), ("/status", 421),
            ]
            for (target, status) in targets {
                var fields = ["X-Forwarded-Proto": scheme]
                if status == 421 { fields["Host"] = "evil.example" }
                let reply = try await bench.send("GET", target, fields)
                #expect(reply.status == status)
                let head = reply.head.lowercased()
                #expect(head.contains("\r\nstrict-transport-security: max-age=31536000\r\n") == isTold)
                #expect(head.contains("strict-transport-security") == isTold)
            }
        }
    }

    @Test(arguments: [
        (["127.0.0.1"], "evil.example", 421), (["127.0.0.1"], "tracks.example.org", 200), ([], "evil.example", 200),
    ])
    func `A name that a trusted proxy was asked for is checked, and no other's word is taken for it`(
        _ proxies: [String], _ host: String, _ status: Int
    ) async throws {
        try await ServerBench.with(Self.configuration(proxies)) { bench in
            let reply = try await bench.send("GET", "/api/devices?key=\(bench.key)", ["X-Forwarded-Host": host])
            #expect(reply.status == status)
        }
    }

    /// An address of this machine that is no loopback address.
    private static var ownAddress: String? {
        (try? System.enumerateDevices())?.lazy.compactMap(\.address).filter { $0.protocol == .inet }
            .compactMap(\.ipAddress).first { !$0.hasPrefix("127.") }
    }

    @Test(.enabled(if: ownAddress != nil, "needs an address besides loopback"))
    func `A server without TLS that listens for proxies answers nobody else`() async throws {
        let own = try #require(Self.ownAddress)
        for (proxies, status) in [(["203.0.113.7"], 403), (["\(own)/32"], 200)] {
            var configuration = Self.configuration(proxies)
            configuration.host = "0.0.0.0"
            try await ServerBench.with(configuration) { bench in
                let reply = await RawReply.to(
                    "GET /healthz HTTP/1.1\r\nHost: \(own)\r\nConnection: close\r\n\r\n", at: .own(own, bench.port))
                #expect(reply.status == status)
                // Whoever is on the machine itself may ask.
                let near = try await bench.send("GET", "/healthz")
                #expect(near.status == 200)
            }
        }
    }

    @Test func `Listening for others wants TLS, proxies, or a word that it need not be safe`() async throws {
        var configuration = ServerConfiguration()
        configuration.host = "0.0.0.0"
        await #expect(throws: ServerError.self) { try await ServerBench.with(configuration) { _ in } }
        configuration.trustedProxies = ["10.0.0.0/33"]
        await #expect(throws: ServerError.self) { try await ServerBench.with(configuration) { _ in } }
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.1.2", true), ("10.0.0.0/8", "11.0.0.1", false), ("10.1.2.3", "10.1.2.3", true),
        ("10.1.2.3", "10.1.2.4", false), ("192.168.4.0/22", "192.168.7.255", true),
        ("192.168.4.0/22", "192.168.8.0", false), ("0.0.0.0/0", "8.8.8.8", true), ("0.0.0.0/0", "::1", false),
        ("2001:db8::/32", "2001:db8:ffff::1", true), ("2001:db8::/32", "2001:db9::1", false),
        ("10.0.0.0/8", "::ffff:10.0.0.1", true), ("::ffff:10.0.0.1", "10.0.0.1", true), ("10.0.0.0/8", "proxy", false),
    ])
    func `A range has the addresses that begin like it`(_ range: String, _ address: String, _ isIn: Bool) {
        #expect(NetworkRange(range)?.contains(address) == isIn)
    }

    @Test(arguments: ["", "proxy", "10.0.0.0/", "10.0.0.0/33", "10.0.0/8", "10.0.0.0/-1", "10.0.0.0/8/8", "::/129"])
    func `What is no range is refused`(_ text: String) { #expect(NetworkRange(text) == nil) }
}
