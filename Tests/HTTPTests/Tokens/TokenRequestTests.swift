import Testing
import TrackEngine
import TrackEngineHTTP

@Suite struct TokenRequestTests {
    private func text(_ grant: TokenEndpoint, _ token: Secret? = nil) -> String {
        let fields = grant.headers.filter { $0.name == "Authorization" }.map { "\($0.name): \($0.value)\n" }
        return fields.joined() + String(decoding: grant.body(token), as: UTF8.self)
    }

    @Test func `requests are forms as RFC 6749 has them`() {
        // The pair of section 2.3.1 and the exchange of section 6.
        var grant = TokenEndpoint(
            url: "https://x/token", clientID: "s6BhdRkqt3", clientSecret: Secret("gX1fBat3bV"),
            refreshToken: Secret("tGzv3JOkF0XG5Qx2TlKWIA"))
        #expect(
            text(grant, Secret("tGzv3JOkF0XG5Qx2TlKWIA"))
                == "Authorization: Basic czZCaGRSa3F0MzpnWDFmQmF0M2JW\n"
                + "grant_type=refresh_token&refresh_token=tGzv3JOkF0XG5Qx2TlKWIA")
        grant.clientAuthentication = .body
        grant.scope = "write read"
        grant.audience = "https://api/?a&b"
        #expect(
            text(grant)
                == "grant_type=client_credentials&scope=write%20read&audience=https%3A%2F%2Fapi%2F%3Fa%26b"
                + "&client_id=s6BhdRkqt3&client_secret=gX1fBat3bV")
        let open = TokenEndpoint(url: "https://x", clientID: "a b", refreshToken: Secret("+"))
        #expect(text(open, Secret("+")) == "grant_type=refresh_token&refresh_token=%2B&client_id=a%20b")
    }

    @Test(
        arguments: [
            (#"{"access_token":"a","token_type":"bearer","expires_in":60,"refresh_token":"r"}"#, "a r 60.0"),
            (#"{"access_token":"a","expires_in":"90"}"#, "a - 90.0"), (#"{"access_token":"a"}"#, "a - 3600.0"),
            (#"{"access_token":"a","expires_in":0}"#, "a - 3600.0"),
            (#"{"access_token":"a","expires_in":"nan"}"#, "a - 3600.0"),
            (#"{"access_token":"a","expires_in":1e-300}"#, "a - 1.0"),
            (#"{"access_token":"a","expires_in":1e300}"#, "a - 86400.0"),
            (#"{"access_token":"a","expires_in":-5}"#, "a - 3600.0"), (#"{"access_token":"a b"}"#, nil),
            (#"{"access_token":""}"#, nil), (#"{"access_token":7}"#, nil),
            (#"{"access_token":"a","token_type":"mac"}"#, nil), ("<html>", nil), ("", nil),
            (#"{"access_token":"a\r\nX: y"}"#, nil),
        ] as [(String, String?)])
    func `replies are read with care`(_ body: String, _ expected: String?) {
        let reply = TokenReply(Array(body.utf8))
        let text = reply.map { "\($0.accessToken.revealed) \($0.refreshToken?.revealed ?? "-") \($0.lifetime)" }
        #expect(text == expected)
    }

    @Test(arguments: [("invalid_grant", true), ("tGzvJOkFXGQxTlKWIA", false), ("", false)])
    func `only the standards' words of a refusal are shown`(_ word: String, _ isShown: Bool) {
        #expect(TokenReply.error(Array(#"{"error":"\#(word)"}"#.utf8)) == (isShown ? word : nil))
    }

    @Test func `what is kept is read again as it was written`() {
        var kept = TokenState(of: TokenEndpoint(url: "https://x", clientID: "a", refreshToken: Secret("first")))
        (kept.refreshToken, kept.accessToken, kept.expires) = ("second", "a", 1_763_710_000.5)
        #expect(TokenState(kept.json) == kept)
        let own = TokenState(of: TokenEndpoint(url: "https://x", clientID: "a", clientSecret: Secret("b")))
        #expect(TokenState(own.json) == own && own != kept)
        kept.accessToken = "a token with\r\na line break"
        #expect(TokenState(kept.json)?.accessToken == nil, "what cannot be sent is asked for anew")
        #expect(TokenState(Array("[]".utf8)) == nil)
    }
}
