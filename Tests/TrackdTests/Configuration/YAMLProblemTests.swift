import Testing
import TrackEngineAgent
import TrackEngineSettings

/// Where a text is no YAML, and what is said of it.
@Suite struct YAMLProblemTests {
    @Test(
        arguments: [
            ("a: 1\ndevice: {id: van\n", 2, "did not find expected ',' or '}'", nil),
            ("device: {id: van\nlog: 1\n\n\n", 2, "did not find expected ',' or '}'", 1),
            ("log:\n  level: [info\nsecret: canary\n", 3, "did not find expected ',' or ']'", 2),
            ("device:\n  id: \"van\nlog: x\n", 3, "found unexpected end of stream", 2),
            ("device: {id: van", 1, "did not find expected ',' or '}'", nil),
            ("device:\n    id: van\n  name: canary\n", 3, "did not find expected key", 1),
        ] as [(String, Int, String, Int?)])
    func `what is not closed is told in the file, with the line where it begins`(
        _ text: String, _ line: Int, _ reason: String, _ begin: Int?
    ) {
        let problems = Given.problems(text)
        #expect(problems.count == 1)
        let problem = problems.first ?? ""
        #expect(problem.hasPrefix("trackd.yaml:\(line): \(reason)"), "\(problem)")
        #expect(problem.contains("that begins in line \(begin ?? 0)") == (begin != nil), "\(problem)")
        #expect(problem.hasSuffix(": expected YAML or JSON") && !problem.contains("canary"), "\(problem)")
    }

    @Test(arguments: ["sinks:\n\t- type: overland\n", "log:\n  level: info\n \tformat: text\n"])
    func `a tab in front of a line is called one`(_ text: String) {
        let problems = Given.problems(text)
        #expect(problems.count == 1)
        #expect(problems.first?.hasSuffix(": expected blanks in front of the line, not tabs") == true, "\(problems)")
    }

    @Test func `a second document is refused as one`() {
        #expect(
            Given.problems("log: {level: info}\n---\nlog: {level: debug}") == [
                "trackd.yaml:2: expected a single document in the stream, but found another document"
            ])
    }

    @Test(arguments: [
        ("log: {level: info}\ntracking:\n  stillAfter: 1\n  stillAfter: 2\n", 4, "stillAfter"),
        ("log: {level: info}\nstore: {type: memory}\n# stillAfter: 2\nlog:\n  level: debug\n", 4, "log"),
        ("sinks:\n  - type: file\n    tls:\n      type: x\n    # type: y\n    \"type\" : mqtt\n", 6, "type"),
        ("sinks:\n  - type: file\n    name: a\n  - type: file\n    name: b\n    name: c\n", 6, "name"),
        ("{\"log\": {\"level\": 1,\n\"level\": 2}}", 1, "level"),
    ])
    func `a key given twice is told where it comes again, as far as lines tell`(
        _ text: String, _ line: Int, _ key: String
    ) {
        #expect(Given.problems(text) == ["trackd.yaml:\(line): \(key): expected each key once"])
    }

    @Test func `a merge key is refused as such, and an alias for a whole value is taken`() throws {
        let sink = "sinks:\n  - &a {type: overland, url: 'https://x'}\n"
        #expect(
            Given.problems(sink + "  - <<: *a\n    name: b\n") == [
                "trackd.yaml:3: expected keys of the table's own: merge keys (<<) are not read"
            ])
        #expect(try Given.configuration(sink + "  - *a\n").sinks.map(\.name) == ["overland", "overland-2"])
    }
}
