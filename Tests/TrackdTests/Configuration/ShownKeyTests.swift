import TestSupport
import Testing
import TrackEngineAgent
import TrackEngineSettings

/// A secret that a typing error turned into a key or a piece of another value is not printed.
@Suite struct ShownKeyTests {
    @Test func `a blank forgotten after a colon makes no key of the secret`() {
        expectMessages(
            Given.problems("sinks: [{type: overland, url: 'https://x', token:canary-SECRET}]"),
            begin: ["trackd.yaml:1: sinks.overland.token:…"])
    }

    @Test(
        arguments: [
            "{tokn:canary}", "{\"canary of several words\": 1}", "{canaryCanaryCanaryCanaryCanaryCanary: 1}",
            "{?canary!: 1}", "{\"canary\\u0007\": 1}", "{x: 1, x:canary, x:canary}",
            "{sinks: [{type: overland, url:https://x/?token=canary}]}", "{headers: {a: 1}, canary=canary: 1}",
        ])
    func `no unknown key shows what may be a secret`(_ yaml: String) {
        let problems = Given.problems(yaml)
        #expect(!problems.isEmpty)
        #expect(!problems.joined().contains("canary"), "\(problems)")
    }

    @Test func `a line without its blank, which continues the value above it, is cut`() {
        let problems = Given.problems("sinks:\n  - type: overland\n      token:canary\n")
        #expect(problems.first?.contains(#""overland token:…""#) == true, "\(problems)")
        #expect(!problems.joined().contains("canary"))
    }

    @Test func `a key that looks like one is shown`() {
        expectMessages(Given.problems("x-1_y.z: 1"), begin: ["trackd.yaml:1: x-1_y.z = …"], as: "an unknown key")
        #expect(Given.problems("\"two words\": 1")[0].hasPrefix("trackd.yaml:1: a key of 9 characters = …: "))
    }
}
