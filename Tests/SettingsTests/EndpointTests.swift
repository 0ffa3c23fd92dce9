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
            ("https://h/100%25/%7e%C3%a4?a=%2B", "https://h/100%25/%7e%C3%a4?a=%2B"),
            ("http://[::1]/a[1]?ids[]=%20", "http://[::1]/a%5B1%5D?ids%5B%5D=%20"),
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
            ("https://example.org/?id=1&lat={0}&lon={1}", .placeholders), ("https://h/{device}", .placeholders),
            ("https://h/{a b}", .characters), ("https://user:secret@example.org", .userInformation),
            ("https://example.org:0", .port),
            ("https://example.org:65536", .port), ("https://example.org:+80", .port),
            ("https://example.org:99999999999999999999", .port), ("https://[::1", .host), ("https://[]", .host),
            ("https://exa%6Dple.org", .host), ("https://h/100%", .escape), ("https://h/a?b=%2", .escape),
            ("https://h/a?b=50%&c=%20", .escape), ("https://h/%zz", .escape), ("https://h/%%41", .escape),
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
            ("/100%", nil), ("b", nil), ("?x", nil), ("javascript:alert(1)", nil), ("/a b", nil),
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

    @Test(arguments: [
        "9f8a7c1e5b3d4a6f8c2e", "7b8e6f0a-1111-4222-8333-abcdef012345", "7B8E6F0A-1111-4222-8333-ABCDEF012345",
        "bot123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11", "a8F-k2_Zq9xT4-wL7mP0vB3n", "dGhpcyBpcyBh2IHNlY3JldA%3D%3D",
        "T0123ABCD45B0678EFGH",
    ])
    func `a part of a path that looks like a token is masked`(_ part: String) throws {
        let endpoint = try Endpoint("https://example.org/hook/\(part)/in?a=b")
        #expect(endpoint.masked == "https://example.org/hook/***/in?a=***")
        #expect(endpoint.withoutSecrets == "https://example.org/hook/***/in?a=b")
        #expect(endpoint.pathSecrets == [part])
        #expect(endpoint.mayHaveSecret && !endpoint.hasSecret, "a guess refuses no file")
    }

    @Test(arguments: [
        "locations", "9f8a7c", "ingest-overland-2026-v2", "phonetrackreceiver001", "12345678901234567890",
        "home-assistant-location-endpoint", "getLocationHistoryForDevice", "van-007_2026-03-01",
        "stra%C3%9Fe-nach-m%C3%BCnchen-2026", "2026-03-01-recorded-tracks.gpx",
    ])
    func `a part of a path that is words and numbers is shown`(_ part: String) throws {
        let endpoint = try Endpoint("https://example.org/hook/\(part)/in")
        #expect(endpoint.masked == "https://example.org/hook/\(part)/in")
        #expect(!endpoint.mayHaveSecret)
    }

    @Test func `the calls of PhoneTrack hold a token`() throws {
        for name in ["log/gpslogger", "logGet"] {
            let endpoint = try Endpoint("https://example.org/apps/phonetrack/\(name)/abc/van")
            #expect(endpoint.hasSecret && endpoint.pathSecrets == ["abc"])
        }
    }

    @Test(arguments: ["p", "P", "pw", "pwd", "pass", "password", "passphrase", "sig", "code", "credentials", "api_key"])
    func `a parameter whose name is that of a secret is masked`(_ name: String) throws {
        let endpoint = try Endpoint("https://example.org/write?db=d&u=me&\(name)=secret")
        #expect(endpoint.withoutSecrets == "https://example.org/write?db=d&u=me&\(name)=***")
        #expect(endpoint.hasSecret)
        #expect(try !Endpoint("https://example.org/write?db=d&u=me&precision=ms&page=1").hasSecret)
    }
}
