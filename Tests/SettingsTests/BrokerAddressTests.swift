import Testing
import TrackEngineSettings

@Suite("Addresses of brokers")
struct BrokerAddressTests {
    private static let valid: [(text: String, isSecure: Bool, host: String, port: Int?)] = [
        ("mqtts://b.example:8883", true, "b.example", 8883), ("mqtt://localhost", false, "localhost", nil),
        ("MQTTS://B.Example/", true, "b.example", nil), ("mqtts://h:", true, "h", nil),
        ("mqtts://[2001:DB8::1]:1", true, "2001:db8::1", 1), ("mqtt://[::1]/", false, "::1", nil),
        ("mqtts://h:65535/", true, "h", 65_535), ("mqtts://10.0.0.1:01883", true, "10.0.0.1", 1883),
    ]

    @Test(arguments: valid.indices)
    func `an address is scheme, host and port`(_ index: Int) throws {
        let wanted = Self.valid[index]
        let address = try BrokerAddress(wanted.text)
        #expect(address.isSecure == wanted.isSecure)
        #expect(address.host == wanted.host)
        #expect(address.port == wanted.port)
    }

    @Test(
        arguments: [
            ("", .notAnAddress), ("b.example", .notAnAddress), ("mqtts:/h", .notAnAddress), ("mqtts:h", .notAnAddress),
            ("https://h", .notAnAddress), ("wss://h", .notAnAddress), ("mqtts://", .notAnAddress),
            ("mqtts://:8883", .notAnAddress), ("mqtts://ü.example", .notAnAddress), ("mqtts://a b", .notAnAddress),
            (" mqtts://h", .notAnAddress), ("mqtts://[::1", .notAnAddress), ("mqtts://[h]", .notAnAddress),
            ("mqtts://a,b", .notAnAddress), ("mqtts://u:p@h", .credentials), ("mqtts://h/a@b", .credentials),
            ("mqtts://h/topic", .path), ("mqtts://h//", .path), ("mqtts://h?a", .path), ("mqtts://h#a", .path),
            ("mqtts://h/?a", .path), ("mqtts://h:0", .port), ("mqtts://h:65536", .port), ("mqtts://h:-1", .port),
            ("mqtts://h:+1", .port), ("mqtts://h:x", .port), ("mqtts://h:99999999999999999999", .port),
            ("mqtts://::1", .port),
        ] as [(String, BrokerAddress.Malformed)])
    func `what is no address is refused with its reason`(_ text: String, _ reason: BrokerAddress.Malformed) {
        #expect(throws: reason) { try BrokerAddress(text) }
        #expect(BrokerAddress(ifReadable: text) == nil)
    }

    @Test func `a host has at most 253 characters`() throws {
        let longest = String(repeating: "h", count: 253)
        #expect(try BrokerAddress("mqtts://\(longest):1").host == longest)
        #expect(throws: BrokerAddress.Malformed.notAnAddress) { try BrokerAddress("mqtts://h\(longest)") }
    }

    @Test(arguments: [
        ("localhost", true), ("LocalHost", true), ("127.0.0.1", true), ("127.255.0.9", true), ("[::1]", true),
        ("[0::1]", false), ("128.0.0.1", false), ("127.0.1", false), ("127.0.0.1.", false), ("127.0.0.256", false),
        ("localhost.example", false), ("[::2]", false), ("0.0.0.0", false),
    ])
    func `only this machine's own addresses may be without TLS`(_ host: String, _ isLoopback: Bool) throws {
        #expect(try BrokerAddress("mqtt://\(host):1883").host.isLoopbackHost == isLoopback)
        #expect(try Endpoint("http://\(host):8080/").origin.isLoopback == isLoopback)
    }
}
