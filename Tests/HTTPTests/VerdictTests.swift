import Testing
import TrackEngine
import TrackEngineHTTP
import TrackEngineSettings

/// A row of the table: what comes back, and what the drain shall do.
struct VerdictCase: Sendable, CustomTestStringConvertible {
    let status: Int
    let body: String
    let expected: DeliveryError.Recovery?

    init(_ status: Int, _ body: String = "", _ expected: DeliveryError.Recovery?) {
        self.status = status
        self.body = body
        self.expected = expected
    }

    var testDescription: String { "\(status) \(body.prefix(30))" }

    func verdict(
        _ rule: OverlandSink.Configuration.SuccessRule = .resultOK
    ) throws -> DeliveryError.Recovery? {
        let reply = Reply(status: status, body: Array(body.utf8))
        let endpoint = try Endpoint("https://example.org/api")
        switch ReplyOutcome.of(reply, rule: rule, endpoint: endpoint, now: Timestamp(secondsSince1970: 0)) {
        case .acknowledged: return nil
        case .failed(let recovery, _): return recovery
        }
    }
}

@Suite("Verdicts on replies")
struct VerdictTests {
    static let ok = #"{"result":"ok"}"#

    @Test(arguments: [
        VerdictCase(200, ok, nil),
        VerdictCase(201, ok, nil),
        VerdictCase(200, #" {"result": "ok", "saved": 3, "geocode": null} "#, nil),
        VerdictCase(200, "", .retry(evidence: .silence)),
        VerdictCase(204, "", .retry(evidence: .silence)),
        VerdictCase(200, "[]", .retry(evidence: .silence)),
        VerdictCase(200, "true", .retry(evidence: .silence)),
        VerdictCase(200, "ok", .retry(evidence: .silence)),
        VerdictCase(200, "<html>Welcome</html>", .retry(evidence: .silence)),
        VerdictCase(200, "<br />Warning: x" + ok, .retry(evidence: .silence)),
        VerdictCase(200, ok + ok, .retry(evidence: .silence)),
        VerdictCase(200, #"{"result":"failed"}"#, .retry(evidence: .failure)),
        VerdictCase(200, #"{"result":"OK"}"#, .retry(evidence: .failure)),
        VerdictCase(200, #"{"result":true}"#, .retry(evidence: .failure)),
        VerdictCase(200, "{}", .retry(evidence: .failure)),
        VerdictCase(200, #"{"error":"invalid input"}"#, .retry(evidence: .failure)),
        VerdictCase(200, #"{"error":"no token provided"}"#, .needsOperator),
        VerdictCase(200, #"{"error":"invalid token"}"#, .needsOperator),
        VerdictCase(101, "", .retry(evidence: .silence)),
        VerdictCase(300, "", .needsOperator), VerdictCase(301, "", .needsOperator),
        VerdictCase(302, "", .needsOperator),
        VerdictCase(303, "", .needsOperator), VerdictCase(304, "", .needsOperator),
        VerdictCase(307, "", .needsOperator),
        VerdictCase(308, "", .needsOperator),
        VerdictCase(400, "", .rejected),
        VerdictCase(400, "<center>The plain HTTP request was sent to HTTPS port</center>", .needsOperator),
        VerdictCase(401, "", .needsOperator), VerdictCase(402, "", .needsOperator),
        VerdictCase(403, "", .needsOperator),
        VerdictCase(404, "", .needsOperator), VerdictCase(405, "", .needsOperator),
        VerdictCase(407, "", .needsOperator),
        VerdictCase(408, "", .retry()), VerdictCase(409, "", .rejected), VerdictCase(410, "", .needsOperator),
        VerdictCase(413, "", .smaller), VerdictCase(415, "", .needsOperator), VerdictCase(418, "", .rejected),
        VerdictCase(422, "", .rejected), VerdictCase(425, "", .retry()), VerdictCase(429, "", .retry()),
        VerdictCase(500, "", .retry(evidence: .failure)), VerdictCase(501, "", .retry(evidence: .failure)),
        VerdictCase(502, "", .retry(evidence: .silence)), VerdictCase(503, "", .retry(evidence: .silence)),
        VerdictCase(504, "", .retry(evidence: .silence)),
        VerdictCase(505, "", .needsOperator), VerdictCase(507, "", .retry(evidence: .silence)),
        VerdictCase(511, "", .retry(evidence: .silence)),
        VerdictCase(520, "", .retry(evidence: .failure)), VerdictCase(522, "", .retry(evidence: .silence)),
        VerdictCase(599, "", .retry(evidence: .silence)), VerdictCase(600, "", .retry(evidence: .silence)),
        VerdictCase(999, "", .retry(evidence: .silence)),
    ])
    func `a reply means`(_ row: VerdictCase) throws {
        #expect(try row.verdict() == row.expected)
    }

    @Test(arguments: [
        VerdictCase(200, "", nil), VerdictCase(204, "", nil), VerdictCase(201, "[]", nil),
        VerdictCase(200, "thanks", nil),
        VerdictCase(200, "\u{feff} \n<!doctype html>", .retry(evidence: .silence)),
        VerdictCase(500, "", .retry(evidence: .failure)),
    ])
    func `any 2xx is enough where configured, but a web page is not`(_ row: VerdictCase) throws {
        #expect(try row.verdict(.any2xx) == row.expected)
    }

    @Test(arguments: [
        VerdictCase(200, "stored 12", nil), VerdictCase(200, "no", .retry(evidence: .silence)),
        VerdictCase(400, "stored", .rejected),
    ])
    func `a text in the body is enough where configured`(_ row: VerdictCase) throws {
        #expect(try row.verdict(.bodyContains("stored")) == row.expected)
    }

    @Test func `a body that was cut acknowledges nothing`() throws {
        var reply = Reply(status: 200, body: Array(Self.ok.utf8))
        reply.isCut = true
        let verdict = ReplyOutcome.of(
            reply, rule: .resultOK, endpoint: try Endpoint("https://example.org"), now: Timestamp(secondsSince1970: 0))
        #expect(verdict != .acknowledged)
    }

    @Test(arguments: [429, 503, 408])
    func `Retry-After is handed on`(_ status: Int) throws {
        var reply = Reply(status: status)
        reply.retryAfter = "120"
        let verdict = ReplyOutcome.of(
            reply, rule: .resultOK, endpoint: try Endpoint("https://example.org"), now: Timestamp(secondsSince1970: 0))
        guard case .failed(let recovery, _) = verdict else { return #expect(Bool(false), "acknowledged") }
        #expect(recovery == .retry(after: .seconds(120)))
    }

    @Test(arguments: [
        ("https://example.org/api/", "HTTP 301 redirect to the same address with a slash at its end: set that"),
        ("/login?next=secret", "HTTP 301 redirect to another path of https://example.org, not followed"),
        ("https://evil.example:8443/x?t=1", "HTTP 301 redirect to https://evil.example:8443, not followed"),
        ("ftp://example.org", "HTTP 301 redirect without a usable address"),
    ])
    func `a redirect is explained without paths`(_ location: String, _ text: String) throws {
        var reply = Reply(status: 301)
        reply.location = location
        let verdict = ReplyOutcome.of(
            reply, rule: .resultOK, endpoint: try Endpoint("https://example.org/api"),
            now: Timestamp(secondsSince1970: 0))
        #expect(verdict == .failed(.needsOperator, text))
    }
}

@Suite("A receiver's words")
struct ServerErrorTextTests {
    @Test(
        arguments: [
            ("Invalid HTTP_HOST header", "Invalid HTTP_HOST header"), (" a\r\n\tb\u{1b}[31m\0 ", "a b [31m"), ("", nil),
            ("<html><style>p {}</style><h1>Bad Request (400)</h1><p>no</p></html>", "Bad Request (400) no"),
            ("<script>var a", nil), ("a < b", "a < b"),
            (#"{"lat":53.55033,"v":1.25,"n":"3."}"#, #"{"lat":53.…,"v":1.25,"n":"3."}"#),
            ("token t0k3n is wrong", "token *** is wrong"),
            (String(repeating: "x", count: 300), String(repeating: "x", count: 200) + "…"),
        ] as [(String, String?)])
    func `words are one line, bounded, without markup, secrets and positions`(_ body: String, _ words: String?) {
        #expect(ServerErrorText.of(Array(body.utf8), hiding: ["t0k3n"]) == words)
    }

    @Test(arguments: [
        (400, "HTTP 400: the receiver refuses the content"), (413, "HTTP 413: too large for the receiver"),
        (500, "HTTP 500"),
    ])
    func `a refusal names the status and the receiver's words`(_ status: Int, _ beginning: String) throws {
        let verdict = ReplyOutcome.of(
            Reply(status: status, body: Array("no such place".utf8)), rule: .resultOK,
            endpoint: try Endpoint("https://example.org"), now: Timestamp(secondsSince1970: 0))
        guard case .failed(_, let reason) = verdict else { return #expect(Bool(false), "acknowledged") }
        #expect(reason == "\(beginning); reply: no such place")
    }
}

@Suite("Retry-After")
struct RetryAfterTests {
    /// 1994-11-06T08:48:37Z, a minute before the date in RFC 9110's examples.
    static let now = Timestamp(secondsSince1970: 784_111_717)

    @Test(
        arguments: [
            ("120", .seconds(120)), (" 5", .seconds(5)), ("3600", .seconds(3600)), ("3601", .seconds(3600)),
            ("1000000000", .seconds(3600)), ("99999999999999999999999999", .seconds(3600)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", .seconds(60)), ("Sunday, 06-Nov-94 08:49:37 GMT", .seconds(60)),
            ("Sun Nov  6 08:49:37 1994", .seconds(60)), ("Sun, 06 Nov 2094 08:49:37 GMT", .seconds(3600)),
            ("0", nil), ("-5", nil), ("1.5", nil), ("soon", nil), ("", nil), ("Sun, 06 Nov 1994 08:47:37 GMT", nil),
            ("Sun, 31 Feb 1995 08:49:37 GMT", nil), ("Sun, 06 Nov 1995 25:49:37 GMT", nil), ("1 2 3 4 5 6 7 8", nil),
            ("Sun, 06 Nov 1995 08:49:37 CET", nil), ("٣٠", nil),
        ] as [(String, Duration?)])
    func `a value means a wait`(_ value: String, _ wait: Duration?) {
        #expect(RetryTime.wait(value, now: Self.now) == wait)
    }

    @Test func `endless values are not read`() {
        #expect(RetryTime.wait(String(repeating: "1", count: 65), now: Self.now) == nil)
    }

    @Test func `a protocol's own meaning of a status stands before the table's, but not before nginx's words`() throws {
        func verdict(_ status: Int, _ body: String) throws -> ReplyOutcome {
            ReplyOutcome.of(
                Reply(status: status, body: Array(body.utf8)), endpoint: try Endpoint("https://example.org"),
                now: Timestamp(secondsSince1970: 0),
                clientError: { $0.status == 400 ? .failed(.needsOperator, "unknown") : nil },
                success: { _ in .acknowledged })
        }
        #expect(try verdict(400, "why") == .failed(.needsOperator, "unknown; reply: why"))
        #expect(try verdict(422, "") == .failed(.rejected, "HTTP 422: the receiver refuses the content"))
        let words = "The plain HTTP request was sent to HTTPS port"
        #expect(try verdict(400, words) == .failed(.needsOperator, "HTTP 400: the port expects https; reply: \(words)"))
    }
}
