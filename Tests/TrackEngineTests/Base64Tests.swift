import Testing
import TrackEngine

@Suite struct Base64Tests {
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy"),
        ("Aladdin:open sesame", "QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
    ])
    func `base64 is that of RFC 4648`(_ text: String, _ encoded: String) {
        #expect(Base64.encoded(text.utf8) == encoded)
        #expect(Base64.decoded(encoded) == Array(text.utf8))
    }

    @Test(arguments: ["A", "AA", "AAA", "AA=A", "A===", "AB==", "AAB=", "AA==AAAA", "AA A", "AA-_", "é==="])
    func `what base64 never looks like is not decoded`(_ text: String) {
        #expect(Base64.decoded(text) == nil)
    }

    @Test func `every byte comes back`() {
        let bytes = (0...255).map { UInt8($0) }
        #expect(Base64.decoded(Base64.encoded(bytes)) == bytes)
    }
}
