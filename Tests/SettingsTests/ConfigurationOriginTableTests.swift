import Testing
import TrackEngine
import TrackEngineSettings

/// The origins of values, and the names of those that a configuration has.
@Suite struct ConfigurationOriginTableTests {
    private static func line(_ number: Int) -> ConfigurationOrigin { .file(name: "a.yaml", line: number) }

    private static let table = ConfigurationOriginTable([
        .table(
            ["SINKS": .table(["HOME": .keys(["URL": "x"], .environment("E"))], .environment("E"))], .environment("E")),
        .table(
            [
                "sinks": .list(
                    [
                        .keys(["type": "overland", "name": "home", "url": "a", "token": "canary"], line(3)),
                        .keys(["type": "mqtt"], line(4)), .keys(["type": "mqtt", "url": "b"], line(5)),
                    ], line(2)),
                "log": .table(["level": .text("a", line(8)), "format": .text("b", line(9))], line(7)),
            ], line(1)),
    ])

    @Test(
        arguments: [
            ("log.format", line(9)), ("log.colour", line(7)), ("log.level.x", line(8)), ("log", line(7)),
            ("sinks.home.token", line(3)), ("sinks.home.url", .environment("E")), ("sinks.mqtt.url", line(4)),
            ("sinks.mqtt-2.url", line(5)), ("sinks.1.type", line(4)), ("sinks.3.type", .environment("E")),
            ("sinks.-1.type", .environment("E")), ("store.path", .none), ("", .none),
        ] as [(String, ConfigurationOrigin)])
    func `a value comes from where its key is, or from the nearest table around it`(
        _ key: String, _ origin: ConfigurationOrigin
    ) {
        #expect(Self.table.origin(of: key) == origin)
    }

    @Test func `a value is not kept with its origin, and an origin is no part of a value`() {
        #expect(!"\(Self.table)".contains("canary"))
        #expect(Self.table == ConfigurationOriginTable() && Set([Self.table, ConfigurationOriginTable()]).count == 1)
    }

    @Test func `problems of the file come first, by line, then those of variables and options`() {
        let origins: [ConfigurationOrigin] = [
            .option, Self.line(2), .none, .environment("E"), Self.line(0), Self.line(10),
        ]
        let sorted = origins.sorted { $0.rank < $1.rank }
        #expect(
            sorted.map(\.description) == ["a.yaml", "a.yaml:2", "a.yaml:10", "E", "--set", ""])
    }

    @Test func `every value has its full key, elements of lists by their names or places`() {
        func name(_ text: String) -> ConfigurationValue { .table([.init(key: "name", value: .text(text))]) }
        let value = ConfigurationValue.table([
            .init(key: "a", value: .word("1")),
            .init(
                key: "list", value: .list([name("home"), .text("x"), .table([.init(key: "name", value: .word("7"))])])),
            .init(key: "part", value: .table([.init(key: "b", value: .masked("canary", as: "***"))])),
            .init(key: "none", value: .list([])),
        ])
        #expect(value.leaves().map(\.key) == ["a", "list.home.name", "list.1", "list.2.name", "part.b"])
        #expect(value.leaves("top").map(\.key).first == "top.a")
        #expect(ConfigurationValue.text("x").leaves("key").map(\.key) == ["key"])
    }
}
