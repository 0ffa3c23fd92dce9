import TestSupport
import Testing
import TrackEngineSettings

@Suite struct PercentEncodingTests {
    @Test func `every byte but the unreserved ones is escaped, in capital digits`() {
        let bytes = (UInt8.min...UInt8.max).map { ($0, PercentEncoding.encoded($0)) }
        for (byte, escape) in bytes {
            let digits = String(byte, radix: 16, uppercase: true)
            #expect(escape == "%" + (digits.count == 1 ? "0" : "") + digits)
        }
        let unreserved = "ABCXYZabcxyz0189-._~"
        #expect(PercentEncoding.encoded(unreserved) == unreserved)
        #expect(PercentEncoding.encoded("@[`{/:+*!'()& %") == "%40%5B%60%7B%2F%3A%2B%2A%21%27%28%29%26%20%25")
        #expect(PercentEncoding.encoded("ü€😀") == "%C3%BC%E2%82%AC%F0%9F%98%80")
    }

    @Test func `only the bytes that meet the condition are escaped`() {
        let text = "/a[1]?é=%41"
        #expect(PercentEncoding.encoded(text) { "[]".utf8.contains($0) } == "/a%5B1%5D?é=%41")
        #expect(PercentEncoding.encoded(text) { $0 == UInt8(ascii: "%") } == "/a[1]?é=%2541")
        #expect(PercentEncoding.encoded(text) { $0 >= 0x80 } == "/a[1]?%C3%A9=%41")
        #expect(PercentEncoding.encoded(text) { _ in false } == text)
        #expect(PercentEncoding.encoded("" as String) { _ in true } == "")
    }

    @Test func `a text that was escaped by any condition is read back`() {
        let characters: [Character] = ["a", "%", "[", "+", " ", "\0", "\n", "ü", "😀", "/"]
        var random = SeededGenerator(seed: 3986)
        for _ in 0..<2_000 {
            let length = Int.random(in: 0...8, using: &random)
            let text = String((0..<length).map { _ in characters.randomElement(using: &random) ?? "a" })
            let most = Bool.random(using: &random) ? 255 : UInt8.random(in: 0...127, using: &random)
            // An escape of its own must not be taken for one of ours.
            let escaped = PercentEncoding.encoded(text) { $0 == UInt8(ascii: "%") || $0 > most }
            #expect(PercentEncoding.hasWholeEscapes(escaped))
            #expect(PercentEncoding.decoded(escaped) == text, "\(text.debugDescription) above \(most)")
        }
    }

    @Test(
        arguments: [
            ("a+b", "a+b"), ("%2b%2B", "++"), ("%C3%A4", "ä"), ("", ""), ("%00", "\0"), ("ä", "ä"), ("%", nil),
            ("%4", nil), ("a%4", nil), ("%4g", nil), ("%g4", nil), ("%%41", nil), ("%+1", nil), ("%C3", nil),
            ("%C3%28", nil), ("%ED%A0%80", nil), ("%F5%80%80%80", nil), ("%C0%80", nil),
        ] as [(String, String?)])
    func `what is no escape or no UTF-8 is not read`(_ text: String, _ decoded: String?) {
        #expect(PercentEncoding.decoded(text) == decoded)
    }

    /// RFC 3986 section 3.2.2 allows brackets around an address in the host, and nowhere else.
    @Test(
        arguments: [
            ("https://h/a[b", "/a%5Bb"), ("https://h/]?[", "/%5D?%5B"),
            ("https://h?f[x]=[1,2]", "/?f%5Bx%5D=%5B1,2%5D"),
            ("https://[::1]/[::1]", "/%5B::1%5D"), ("https://h/%5b%5D", "/%5b%5D"), ("https://h/a#[b]", "/a"),
            ("https://h/[%5B]", "/%5B%5B%5D"), ("https://[fe80::1]:8443?[]", "/?%5B%5D"),
        ])
    func `brackets behind the host are escaped, and what is escaped already stays`(
        _ address: String, _ target: String
    ) throws {
        let endpoint = try Endpoint(address)
        #expect(endpoint.target == target)
        #expect(try Endpoint(endpoint.text) == endpoint, "once more")
        #expect(endpoint.resolving(address) == endpoint)
    }

    @Test func `a request's own parameters stand behind those of the address`() throws {
        #expect(try Endpoint("https://h/a").appending(query: "x=1&y=2").text == "https://h/a?x=1&y=2")
        #expect(try Endpoint("https://h/a?[b]=c").appending(query: "x=1").text == "https://h/a?%5Bb%5D=c&x=1")
        #expect(try Endpoint("https://h").appending(query: "x=1").text == "https://h/?x=1")
    }
}
