import Testing
import TrackEngine
import TrackEngineSettings

@Suite struct OverlayTests {
    struct Section: Sendable, Hashable {
        var count = 3
        var limit: Double? = 2
        var pause = Duration.seconds(60)
    }

    private static let fields: [Field<Section>] = [
        .integer("count", \.count, 1...10, "records"), .positive("limit", \.limit, upTo: 5, "metres"),
        .seconds("pause", \.pause, 0...3600),
    ]

    /// The overlay that a table gives, on top of another, and the keys with a problem.
    private func read(
        _ values: KeyValuePairs<String, String>, over overlay: Overlay<Section> = Overlay()
    ) -> (overlay: Overlay<Section>, problems: [Substring]) {
        let members = values.map {
            ConfigurationNode.Member(key: $0, node: ConfigurationNode(.scalar(.init($1)), .none))
        }
        let report = ProblemReport()
        var overlay = overlay
        var table = TableDecoder(path: "", layers: [ConfigurationNode(.table(members), .none)], report)
        for field in Self.fields { field.overlay(on: "base", like: Section()).read(&table, &overlay) }
        return (overlay, report.problems.map { $0.message.prefix { $0 != " " } })
    }

    @Test func `an overlay changes only the keys that it has`() {
        var section = Section(count: 7, limit: nil, pause: .seconds(5))
        let (overlay, problems) = read(["pause": "2m"])
        section.pause = .seconds(120)
        #expect(overlay.applied(to: Section(count: 7, limit: nil, pause: .seconds(5)), Self.fields) == section)
        #expect(problems == [])
        #expect(Overlay().applied(to: section, Self.fields) == section)
    }

    @Test func `a value that equals the default is still a value`() {
        #expect(read(["count": "3"]).overlay.applied(to: Section(count: 7), Self.fields).count == 3)
    }

    @Test func `null removes a value, also one of a key that null switches off`() {
        let overlay = Overlay<Section>(["limit": .word("4"), "count": .word("5")])
        let changed = read(["limit": "null"], over: overlay).overlay
        #expect(changed == Overlay(["count": .word("5")]))
        #expect(changed.applied(to: Section(limit: 1), Self.fields) == Section(count: 5, limit: 1))
    }

    @Test func `an invalid value is a problem and changes nothing`() {
        let overlay = Overlay<Section>(["count": .word("5")])
        let (changed, problems) = read(["count": "11", "pause": "-1"], over: overlay)
        #expect(changed == overlay)
        #expect(problems == ["count", "pause"])
    }

    @Test func `the same value is equal however it was written`() {
        #expect(read(["pause": "2m", "limit": "1.50"]).overlay == read(["limit": "1.5", "pause": "120"]).overlay)
    }

    @Test func `a key has the rule of its section, and no value by default`() {
        let keys = Self.fields.map { $0.overlay(on: "base", like: Section()).description(in: Overlay()) }
        #expect(keys.map(\.expectation) == Self.fields.map { "\($0.expectation), or null" })
        #expect(keys.map(\.defaultValue) == [.word("null"), .word("null"), .word("null")])
    }
}
