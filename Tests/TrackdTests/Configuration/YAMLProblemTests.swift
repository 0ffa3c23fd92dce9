import TestSupport
import Testing
import TrackEngineAgent
import TrackEngineSettings

/// Where a text is no YAML, and what is said of it.
@Suite struct YAMLProblemTests {
    @Test(
        arguments: [
            ("a: 1\ndevice: {id: van\n", 2, nil), ("device: {id: van\nlog: 1\n\n\n", 2, 1),
            ("log:\n  level: [info\nsecret: canary\n", 3, 2), ("device:\n  id: \"van\nlog: x\n", 3, 2),
            ("device: {id: van", 1, nil), ("device:\n    id: van\n  name: canary\n", 3, 1),
        ] as [(String, Int, Int?)])
    func `what is not closed is told in the file, with the line where it begins`(
        _ text: String, _ line: Int, _ begin: Int?
    ) {
        let problems = Given.problems(text)
        expectMessages(problems, begin: ["trackd.yaml:\(line)"], as: "not closed: \(text)")
        let problem = problems.first ?? ""
        #expect(problem.contains("line \(begin ?? 0)") == (begin != nil), "\(problem)")
        #expect(!problem.contains("canary"), "\(problem)")
    }

    @Test(arguments: ["sinks:\n\t- type: overland\n", "log:\n  level: info\n \tformat: text\n"])
    func `a tab in front of a line is called one`(_ text: String) {
        let problems = Given.problems(text)
        #expect(problems.count == 1)
        expectMessage(problems.first, as: "a tab in front of \(text)")
    }

    @Test func `a second document is refused as one`() {
        expectMessages(Given.problems("log: {level: info}\n---\nlog: {level: debug}"), begin: ["trackd.yaml:2"])
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
        expectMessages(
            Given.problems(text), begin: ["trackd.yaml:\(line): \(key)"], as: "\(key) given twice, line \(line)")
    }

    @Test func `a merge key is refused as such, and an alias for a whole value is taken`() throws {
        let sink = "sinks:\n  - &a {type: overland, url: 'https://x'}\n"
        expectMessages(Given.problems(sink + "  - <<: *a\n    name: b\n"), begin: ["trackd.yaml:3"])
        #expect(try Given.configuration(sink + "  - *a\n").sinks.map(\.name) == ["overland", "overland-2"])
    }
}
