import Testing
import TrackEngine
import TrackEngineHTTP

@Suite("Setup links")
struct SetupLinkTests {
    @Test func `a link is read with its escapes, and a plus is a plus`() throws {
        let link = try OverlandSetupLink(
            "overland://setup?url=https%3A%2F%2Fexample.org%2Fin%3Ftoken%3Da%2Bb&token=1+2%2F3&device_id=van%207")
        #expect(link.url?.revealed == "https://example.org/in?token=a+b")
        #expect(link.token?.revealed == "1+2/3")
        #expect(link.deviceID == "van 7")
    }

    @Test func `what is absent stays absent`() throws {
        let link = try OverlandSetupLink("overland://setup?device_id=van-7")
        #expect(link == OverlandSetupLink(deviceID: "van-7"))
    }

    @Test func `what is present but empty is empty, not absent`() throws {
        #expect(try OverlandSetupLink("overland://setup?token=").token == Secret(""))
        #expect(try OverlandSetupLink("overland://setup?token").token == Secret(""))
    }

    @Test func `names are read in any case`() throws {
        let link = try OverlandSetupLink("overland://setup?URL=https://r.example&Token=a&Device_ID=van&HEADER_X-Key=b")
        #expect(link.url?.revealed == "https://r.example")
        #expect(link.token?.revealed == "a")
        #expect(link.deviceID == "van")
        #expect(link.headers == [HeaderField(name: "X-Key", value: Secret("b"))])
        #expect(link.unknownParameters == [])
    }

    @Test(arguments: [("yes", true), ("no", false), ("YES", false), ("1", false)])
    func `only yes switches the unique id on`(_ value: String, _ isOn: Bool) throws {
        #expect(try OverlandSetupLink("overland://setup?unique_id=\(value)").uniqueID == isOn)
    }

    @Test func `headers are taken in order, unknown parameters listed`() throws {
        let link = try OverlandSetupLink("OVERLAND://SETUP?header_X-Key=a%3Db&x=1&header_Y=2")
        #expect(
            link.headers == [
                HeaderField(name: "X-Key", value: Secret("a=b")), HeaderField(name: "Y", value: Secret("2")),
            ])
        #expect(link.unknownParameters == ["x"])
    }

    @Test(
        arguments: [
            "", "overland://", "https://setup?url=x", "overland://other?url=x", "overland://setup?url=%zz",
            "overland://setup?url=%4", "overland://setup?url=%ff", "overland://setup?url=a&url=b",
            "overland://setup?header_Host=x", "overland://setup?header_X=a%0d%0aY:b",
        ])
    func `what is no setup link is refused`(_ text: String) {
        #expect(throws: OverlandSetupLink.Malformed.self) { try OverlandSetupLink(text) }
    }

    @Test func `a link without bounds is refused`() {
        let long = "overland://setup?url=" + String(repeating: "x", count: 8192)
        let many = "overland://setup?" + (0...64).map { "p\($0)=" }.joined(separator: "&")
        #expect(throws: OverlandSetupLink.Malformed.self) { try OverlandSetupLink(long) }
        #expect(throws: OverlandSetupLink.Malformed.self) { try OverlandSetupLink(many) }
    }

    @Test func `a refusal does not repeat what was given`() {
        let error = #expect(throws: OverlandSetupLink.Malformed.self) {
            try OverlandSetupLink("overland://setup?token=c4n4ry&token=c4n4ry")
        }
        #expect(error.map { !"\($0)".contains("c4n4ry") } == true)
    }

    @Test func `a link that is written reads back to itself`() throws {
        let link = OverlandSetupLink(
            url: Secret("https://example.org/ü?a=1&b=2"), token: Secret("a+b c/="), deviceID: "van 7", uniqueID: true,
            headers: [HeaderField(name: "X-Key", value: Secret("100 %"))])
        #expect(try OverlandSetupLink(link.revealed) == link)
    }

    @Test func `printing a link shows no secret`() throws {
        let link = try OverlandSetupLink("overland://setup?url=https://c4n4ry&token=c4n4ry&header_X=c4n4ry")
        var text = "\(link)"
        dump(link, to: &text)
        #expect(!text.contains("c4n4ry"))
    }
}
