import Testing
import TrackEngineHTTP

@Suite struct Base64Tests {
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy"),
        ("Aladdin:open sesame", "QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
    ])
    func `base64 is that of RFC 4648`(_ text: String, _ encoded: String) {
        #expect(Base64.encoded(text.utf8) == encoded)
    }
}
