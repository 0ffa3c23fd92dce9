import Testing
import TrackEngine
import TrackEngineSettings

/// Tables that lie on each other, the highest first.
@Suite struct TableDecoderTests {
    private struct Section: Sendable {
        var value = 0
    }

    private let report = ProblemReport()

    private func decoder(_ layers: ConfigurationNode..., path: String = "s") -> TableDecoder {
        TableDecoder(path: path, layers: layers, report)
    }

    @Test func `the highest layer that has a key wins, and of one layer the last`() {
        var table = decoder(
            .keys(["a": "1"], .option), .keys(["a": "2", "b": "2"], .environment("E")),
            .keys(["a": "3", "b": "3", "c": "3", "c": "4"]))
        let values: [Int?] = ["a", "b", "c"].map { table.integer($0, 0...9) }
        let nodes = table.nodes("a")
        #expect(values == [1, 2, 4] && nodes.map(\.text) == ["1", "2", "3"])
        table.reportUnknownKeys()
        #expect(report.places == [])
    }

    @Test func `a wrong value above is a problem, not a reason to take the one below`() {
        var table = decoder(.keys(["a": "x"], .option), .keys(["a": "3"]))
        let value: Int? = table.integer("a", 0...9)
        #expect(value == nil && report.places == ["--set: s.a"])
    }

    @Test func `keys fold their case in variables alone`() {
        var table = decoder(.keys(["COUNT": "1"], .environment("E")), .keys(["count": "2", "Count": "3"]))
        let nodes = table.nodes("count")
        #expect(nodes.map(\.text) == ["1", "2"])
        table.reportUnknownKeys()
        #expect(report.places == ["a.yaml:1: s.Count"])
    }

    @Test func `an unknown key is reported in every layer that has it, without its value`() {
        var table = decoder(.keys(["canary": "canary"], .option), .keys(["known": "1", "other": "canary"]))
        _ = table.node("known")
        table.reportUnknownKeys()
        #expect(report.places == ["--set: s.canary", "a.yaml:1: s.other"])
        #expect(report.problems.allSatisfy { $0.message.hasPrefix("\($0.withoutValue.prefix { $0 != ":" }) = …: ") })
    }

    @Test func `a layer without keys is no table, and null is an empty one`() {
        let table = decoder(
            .text(""), .text("null"), .text("~"), .list([]), .text("text"), .text("null", isQuoted: true))
        #expect(report.places == ["a.yaml:1: s", "a.yaml:1: s", "a.yaml:1: s"])
        #expect(table.isEmpty && decoder(.table([:])).isEmpty && !decoder(.keys(["a": "null"])).isEmpty)
        _ = decoder(.text("text"), path: "")
        #expect(report.places.last == "a.yaml:1: configuration")
    }

    @Test func `keys of the user's choice keep the file's order, with the values above`() {
        var table = decoder(.keys(["b": "above", "d": "above"], .option), .keys(["a": "1", "b": "2", "c": "3"]))
        let members = table.allMembers()
        #expect(members.map(\.key) == ["a", "b", "c", "d"])
        #expect(members.map(\.node.text) == ["1", "above", "3", "above"])
        table.reportUnknownKeys()
        #expect(report.places == [])
    }

    @Test func `a value of another table holds where no layer has the key`() {
        func table() -> TableDecoder {
            var table = decoder(.keys(["a": "1"]))
            let elsewhere = ConfigurationNode.keys(["a": "7", "b": "8", "c": "9"], .file(name: "a.yaml", line: 5))
            table.inherit(["a", "b"], from: elsewhere.members ?? [])
            return table
        }
        var first = table()
        let values: [Int?] = ["a", "b", "c"].map { first.integer($0, 0...9) }
        #expect(values == [1, 8, nil])
        var second = table()
        let value: Int? = second.integer("b", 0...5)
        #expect(value == nil)
        #expect(report.places == ["a.yaml:5: s.b"], "at the line that has it")
    }

    @Test func `the keys of an unknown type are unknown, and not reported`() {
        var table = decoder(.keys(["a": "1"]))
        table.forgiveUnknownKeys()
        table.reportUnknownKeys()
        #expect(report.places == [])
    }

    @Test func `a table within reports its own unknown keys under its full name`() {
        var table = decoder(
            .table(["part": .keys(["x": "1", "y": "1"], .option)], .option),
            .table(["part": .keys(["x": "2", "z": "1"])]))
        let x = table.table("part") { part in part.integer("x", 0...9) as Int? }
        #expect(x == 1)
        #expect(report.places == ["--set: s.part.y", "a.yaml:1: s.part.z"])
    }

    @Test func `a value that was refused is not missing, too`() {
        var table = decoder(.keys(["a": "x"]))
        let field = Field<Section>.integer("a", \.value, 0...9).required()
        var section = Section()
        field.read(&table, &section)
        table.reject("a", "(missing)", "a value")
        #expect(report.problems.count == 1)
        table.reject("b", nil, "a value")
        table.reject("b", nil, "a value")
        #expect(report.places == ["a.yaml:1: s.a", "a.yaml:1: s.b"])
    }

    // MARK: - Lists

    @Test func `elements have their names, or else those of their types, each once`() {
        let list: [ConfigurationNode] = [
            .keys(["type": "mqtt"]), .keys(["type": "mqtt"]), .keys(["name": "mqtt-3", "type": "mqtt"]),
            .keys(["type": "mqtt"]), .keys([:]), .text("x"), .keys(["name": "home"]), .keys(["name": "home"]),
        ]
        #expect(
            UniqueNameList.names(of: list) == [
                "mqtt", "mqtt-2", "mqtt-3", "mqtt-4", "unknown", "unknown-2", "home", "home",
            ])
        // A message names an element only where the name is the user's own, valid, and that of no other one.
        let odd: [ConfigurationNode] = [.keys(["name": "two words"]), .keys(["name": "7"]), .keys(["name": "null"])]
        #expect(
            UniqueNameList.labels(of: list + odd) == [
                "mqtt", "mqtt-2", "mqtt-3", "mqtt-4", "4", "5", "6", "7", "8", "9", "10",
            ])
    }

    @Test func `options change an element by its name or its place, and add one behind the last`() {
        let list = ConfigurationNode.table([
            "list": .list([.keys(["name": "a", "v": "1"]), .keys(["v": "2", "w": "2"])])
        ])
        let options = ConfigurationNode.table(
            [
                "list": .table(
                    [
                        "a": .keys(["w": "9"], .option), "1": .keys(["v": "8"], .option),
                        "2": .keys(["v": "7"], .option), "4": .keys(["v": "6"], .option),
                        "A": .keys(["v": "5"], .option),
                    ],
                    .option)
            ], .option)
        var table = decoder(options, list)
        let read = table.tables("list") { element in
            ["v", "w"].map { element.integer($0, 0...9) as Int? }
        }
        #expect(read == [[1, 9], [8, 2], [7, nil]])
        #expect(report.places == ["--set: s.list.4", "--set: s.list.A"])
    }

    @Test func `an element that is no table is not read, and a list above replaces the one below`() {
        let above = ConfigurationNode.table(
            ["list": .list([.text("x"), .text("null"), .keys(["v": "1"])], .option)], .option)
        var table = decoder(above, .table(["list": .list([.keys(["v": "2"]), .keys(["v": "3"])])]))
        let read = table.tables("list") { element in element.integer("v", 0...9) as Int? ?? -1 }
        #expect(read == [-1, 1])
        #expect(report.places == ["a.yaml:1: s.list.0"])
    }
}
