import Testing
import TrackEngineSettings

@Suite("Addresses")
struct EndpointTests {
    @Test(
        arguments: [
            ("https://example.org", "https://example.org/"),
            ("HTTPS://Example.ORG:443/Api?Token=a%20b&x", "https://example.org/Api?Token=a%20b&x"),
            ("http://127.0.0.1:5003/dump#top", "http://127.0.0.1:5003/dump"),
            ("https://[::1]:8443/x", "https://[::1]:8443/x"),
            ("https://example.org?token=1", "https://example.org/?token=1"),
            ("http://host:/p", "http://host/p"),
        ])
    func `an address is kept as it is, in its canonical form`(_ text: String, _ canonical: String) throws {
        #expect(try Endpoint(text).text == canonical)
    }

    @Test(
        arguments: [
            ("", .scheme), ("example.org/api", .scheme), ("ftp://example.org", .scheme),
            ("https:/example.org", .scheme),
            ("https://", .host), ("https:///path", .host), ("https://exa mple.org", .characters),
            ("https://example.org/\r\nHost: x", .characters), ("https://münchen.example", .characters),
            ("https://user:secret@example.org", .userInformation), ("https://example.org:0", .port),
            ("https://example.org:65536", .port), ("https://example.org:+80", .port),
            ("https://example.org:99999999999999999999", .port), ("https://[::1", .host), ("https://[]", .host),
            ("https://exa%6Dple.org", .host),
        ] as [(String, Endpoint.Malformed)])
    func `what is no address is refused`(_ text: String, _ problem: Endpoint.Malformed) {
        #expect(throws: problem) { try Endpoint(text) }
    }

    @Test func `an address without bounds is refused`() {
        #expect(throws: Endpoint.Malformed.length) {
            try Endpoint("https://example.org/" + String(repeating: "x", count: 4096))
        }
    }

    @Test(
        arguments: [
            ("/b?c", "https://example.org/b?c"), ("https://example.org:443/b", "https://example.org/b"),
            ("//other.example/b", "https://other.example/b"), ("http://example.org/b", "http://example.org/b"),
            ("b", nil), ("?x", nil), ("javascript:alert(1)", nil), ("/a b", nil),
        ] as [(String, String?)])
    func `a location is taken relative to the address`(_ location: String, _ resolved: String?) throws {
        #expect(try Endpoint("https://example.org/a").resolving(location)?.text == resolved)
    }

    @Test(arguments: ["http://localhost", "http://127.0.0.1", "http://127.9.8.7:80", "http://[::1]:9"])
    func `this machine is recognised`(_ text: String) throws {
        #expect(try Endpoint(text).origin.isLoopback)
    }

    @Test(arguments: [
        "http://127.0.0.1.evil.example", "http://localhost.evil", "http://10.0.0.1", "http://127.1", "http://[::2]",
    ])
    func `another machine is recognised`(_ text: String) throws {
        #expect(try !Endpoint(text).origin.isLoopback)
    }

    @Test func `the description hides path and query`() throws {
        #expect(
            try "\(Endpoint("https://example.org:8443/submit/canary?token=canary"))" == "https://example.org:8443/…")
    }
}
