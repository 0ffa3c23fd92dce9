import Glibc
import TestSupport
import Testing
import TrackEngineAgent
import TrackEngineSettings

/// Files that are no configuration at all, or are made to hurt.
@Suite struct HostileInputTests {
    @Test func `a syntax error is named with its line, without the text around it`() {
        let problems = Given.problems("log:\n  level: [info\nsecret: canary")
        expectMessages(problems, begin: ["trackd.yaml:3"])
        #expect(!problems.joined().contains("canary"))
    }

    @Test func `a second document is refused`() {
        #expect(Given.problems("log: {level: info}\n---\nlog: {level: debug}").count == 1)
    }

    @Test func `bytes that are no UTF-8 are refused`() {
        let bytes: [UInt8] = Array("device: {id: ".utf8) + [0xff, 0xfe] + Array("}".utf8)
        expectMessages(Given.problems(bytes), begin: ["trackd.yaml"])
    }

    @Test func `a file of over a MiB is refused before it is parsed`() {
        let comment = [UInt8](repeating: UInt8(ascii: "#"), count: (1 << 20) + 1)
        expectMessages(Given.problems(comment), begin: ["trackd.yaml"])
        #expect(Given.problems(comment.dropLast()) == [])
    }

    @Test func `an alias bomb is refused for what it would become`() {
        let bomb = (1...8).reduce("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n") { text, level in
            text + "a\(level): &a\(level) [\(repeatElement("*a\(level - 1)", count: 9).joined(separator: ", "))]\n"
        }
        expectMessages(Given.problems(bomb), begin: ["trackd.yaml"])
    }

    @Test func `few aliases to much are refused as well`() {
        let values = repeatElement("x", count: 4000).joined(separator: ",")
        let problems = Given.problems("a: &a [\(values)]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: [*c, *c]\n")
        expectMessages(problems, begin: ["trackd.yaml"])
    }

    /// The parser compares the keys of a table, with all that their aliases stand for.
    @Test func `a bomb as a key does not hold the parser up`() {
        let values = repeatElement("x", count: 300_000).joined(separator: ",")
        let text = "a: &a [\(values)]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: &d [*c, *c]\n? *d\n: x\n? y\n: y\n"
        let begin = processorTime
        #expect(Given.problems(text).count == 1)
        let middle = processorTime
        // The same values without aliases, one of them at a time.
        #expect(!Given.problems("a: [\(values)]\n").isEmpty)
        #expect(middle - begin < (processorTime - middle) * 20)
    }

    /// What this thread has computed, in seconds; other programs do not count.
    private var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    @Test func `asterisks in words and comments are no aliases`() {
        let comments = repeatElement("# *a *b *c\n", count: 20).joined()
        #expect(Given.problems(comments + "store: {path: /a*b*c*d*e*f*g*h*i*j}\n") == [])
    }

    @Test(arguments: ["[", "{a: ", "- ", "? "])
    func `deep nesting ends in an error`(_ opening: String) {
        #expect(Given.problems(String(repeating: opening, count: 100_000)).count == 1)
    }

    @Test func `a table as a key is refused`() {
        expectMessages(Given.problems("{a: 1}: 2"), begin: ["trackd.yaml:1"])
    }

    @Test func `an endless list of problems is still a list`() {
        let keys = (0..<5000).map { "key\($0): 1\n" }.joined()
        #expect(Given.problems(keys).count == 5000)
    }

    @Test func `an empty file means the defaults`() throws {
        #expect(try Given.configuration("") == AgentConfiguration(stateDirectory: "/state"))
        #expect(try Given.configuration("# nothing\n") == AgentConfiguration(stateDirectory: "/state"))
        #expect(
            try Given.configuration("sinks:\ntracking:\nsources:\n") == AgentConfiguration(stateDirectory: "/state"))
    }

    @Test func `cut anywhere, a good configuration never crashes the reader`() {
        let bytes = Array(Given.everything.utf8)
        for length in stride(from: 0, to: bytes.count, by: 7) { _ = Given.problems(Array(bytes[..<length])) }
    }

    @Test func `with any byte damaged, a good configuration never crashes the reader`() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            var bytes = Array(Given.everything.utf8)
            for _ in 0..<3 { bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: 0...127) }
            _ = Given.problems(bytes)
        }
    }
}
