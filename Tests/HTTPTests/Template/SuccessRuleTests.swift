import Testing
import TrackEngine
import TrackEngineHTTP

@Suite("Rules for success of templates")
struct SuccessRuleTests {
    typealias Rule = HTTPSink.Configuration.SuccessRule

    private func rule(_ change: (inout Rule) -> Void) -> Rule {
        var rule = Rule()
        change(&rule)
        return rule
    }

    /// What is to be done after a reply; `nil` for acknowledged.
    private func recovery(_ rule: Rule, _ body: String, status: Int = 200) -> DeliveryError.Recovery? {
        switch rule.verdict(Reply(status: status, body: Array(body.utf8))) {
        case .acknowledged: nil
        case .failed(let recovery, _): recovery
        }
    }

    @Test func `without a rule any body but a web page will do`() {
        #expect(recovery(Rule(), "") == nil)
        #expect(recovery(Rule(), " <html>") == .retry(evidence: .silence))
    }

    @Test func `a status may be demanded`() {
        let rule = rule { $0.status = 204 }
        #expect(recovery(rule, "", status: 204) == nil)
        #expect(recovery(rule, "", status: 200) == .retry(evidence: .silence))
    }

    @Test func `a text may be demanded`() {
        let rule = rule { $0.contains = "saved" }
        #expect(recovery(rule, "<b>saved</b>") == nil)
        #expect(recovery(rule, "no") == .retry(evidence: .silence))
    }

    @Test(arguments: [
        ("result", "ok", #"{"result":"ok"}"#), ("a.1.b", "true", #"{"a":[0,{"b":true}]}"#), ("n", "3", #"{"n":3.0}"#),
        ("n", "0.5", #"{"n":0.5}"#), ("n", "null", #"{"n":null}"#),
    ])
    func `a value at a path may be demanded`(_ path: String, _ value: String, _ body: String) {
        let rule = rule { ($0.path, $0.value) = (path, value) }
        #expect(recovery(rule, body) == nil)
        #expect(recovery(rule, #"{"x":1}"#) == .retry(evidence: .failure))
        #expect(recovery(self.rule { ($0.path, $0.value) = (path, value + "x") }, body) == .retry(evidence: .failure))
        #expect(recovery(rule, "<html>") == .retry(evidence: .silence))
    }

    @Test func `a reply too long to look into is no reason to send again`() {
        var reply = Reply(status: 200, body: Array(#"{"data":["#.utf8))
        reply.isCut = true
        guard case .failed(.needsOperator, let reason) = rule({ $0.path = "data" }).verdict(reply) else {
            Issue.record("no pause")
            return
        }
        #expect(reason.contains("more than 64 KiB"))
    }

    @Test func `a path without a value wants anything there`() {
        let rule = rule { $0.path = "data" }
        #expect(recovery(rule, #"{"data":[]}"#) == nil)
        #expect(recovery(rule, "[]") == .retry(evidence: .failure))
    }
}
