import TestSupport
import Testing
import TrackEngine
import TrackEngineSettings

@Suite("What a field says about its key")
struct FieldDescriptionTests {
    struct Part: Sendable {
        var pause = Duration.milliseconds(2500)
    }

    struct Section: Sendable {
        var count = 3
        var limit: Double?
        var path = ""
        var part = Part()
    }

    private static let fields: [Field<Section>] = [
        .integer("count", \.count, 1...10, "records").meaning("How many there are."),
        .positive("limit", \.limit, upTo: 5, "metres"),
        .text("path", \.path, .absolutePath).required(),
        .table("part", \.part, [.seconds("pause", \.pause, 0...60)]),
    ]

    /// What `fields` report about a table, each with the line of its place.
    private func problems(_ members: [ConfigurationNode.Member], _ more: ConfigurationProblem? = nil) -> [String] {
        let report = ProblemReport()
        let table = ConfigurationNode(.table(members), .file(name: "a.yaml", line: 1))
        var decoder = TableDecoder(path: "section", layers: [table], report)
        var section = Section()
        for field in Self.fields { field.read(&decoder, &section) }
        if let more { decoder.reject(more) }
        return report.problems.map(\.description)
    }

    private func member(_ key: String, _ content: ConfigurationNode.Content, line: Int) -> ConfigurationNode.Member {
        ConfigurationNode.Member(key: key, node: ConfigurationNode(content, .file(name: "a.yaml", line: line)))
    }

    @Test func `kind, range and unit are those of the rule, and the default is the section's`() {
        let descriptions = Self.fields.map { $0.description(in: Section()) }
        #expect(
            descriptions.map { "\($0.key): \($0.kind.rawValue), \($0.expectation)" } == [
                "count: whole number, 1 to 10 records", "limit: number, above 0 and up to 5 metres, or null",
                "path: text, an absolute path", "part: table, the keys below",
            ])
        #expect(descriptions.map(\.meaning) == ["How many there are.", "", "", ""])
        #expect(descriptions.prefix(3).map(\.defaultValue) == [.word("3"), .word("null"), nil])
        #expect(descriptions.last?.parts.map(\.defaultValue) == [.word("2.5")])
    }

    @Test func `every key under a table has its full name`() {
        let keys = Self.fields.flatMap { $0.description(in: Section()).flattened(under: "a.b") }.map(\.key)
        #expect(keys == ["a.b.count", "a.b.limit", "a.b.path", "a.b.part", "a.b.part.pause"])
    }

    @Test func `a key that must be given is missed where its table stands`() {
        let path = member("path", .scalar(.init("/a")), line: 2)
        #expect(problems([path]) == [])
        expectMessages(problems([]), begin: ["a.yaml:1: section.path"])
    }

    @Test func `what a plugin finds wrong itself stands at the nearest place that was given`() {
        let path = member("path", .scalar(.init("/a")), line: 2)
        let pause = member("pause", .scalar(.init("5")), line: 4)
        let given = [path, member("part", .table([pause]), line: 3)]
        func place(_ key: String) -> Substring? {
            problems(given, ConfigurationProblem(key: key, value: "5", expectation: "less")).first?.prefix { $0 != " " }
        }
        #expect(place("part.pause") == "a.yaml:4:")
        #expect(place("part.other") == "a.yaml:3:")
        #expect(place("nothing") == "a.yaml:1:")
    }
}
