import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineSettings

/// The bounds of numbers: a configuration file and a program that sets the property itself have the same.
@Suite struct NumericBoundsTests {
    private static let reference = ConfigurationReference.packaged(Agent(name: "trackd", plugins: .standard))
    private static let numbers = reference.keys.filter { [.wholeNumber, .number, .size].contains($0.kind) }

    /// Keys whose numbers only the file bounds.
    private static let unchecked: Set = [
        // Any number is valid in a program, or more than the file's.
        "sources.simulated.vehicles", "sources.simulated.seed", "sources.miataru.interval",
        "sources.miataru.places.radius", "store.commitInterval", "store.capacity", "sinks.history.keepDays",
        "sinks.history.maxBytes", "sinks.server.keepDays", "sinks.server.maxBytes", "profiles.power.below",
        // A program has no number there.
        "sinks.mqtt.qos",
        // Refused when the server starts, and when the source is made.
        "sinks.server.port", "sinks.server.osmandPort", "sources.miataru.httpTimeout",
    ]

    @Test func `every number of the reference has its row`() {
        let positions = Set(Self.numbers.map(\.key).filter { $0.hasSuffix("itude") })
        let rows = NumericKey.all.map(\.key)
        #expect(Set(rows).count == rows.count)
        #expect(Set(Self.numbers.map(\.key)).subtracting(positions) == Set(rows).union(Self.unchecked))
        #expect(Self.unchecked.isDisjoint(with: rows))
    }

    /// The values at the bounds that the reference names, and those just beyond them.
    private static func values(_ key: KeyDescription) throws -> (inside: [Double], outside: [Double]) {
        let words = key.expectation.split(separator: " ").map { $0.filter { $0 != "," } }
        func number(_ index: Int) throws -> Double { try #require(Double(words[index])) }
        if words[0] == "above" {
            let most = try number(5)
            return ([0.001, most], [-0.001, 0, most.nextUp])
        }
        if words[1] == "(no" {
            let least = try number(6)
            return ([0, least], [-1, 1, least - 1])
        }
        let (least, most) = (try number(0), try number(2))
        guard key.kind == .number else { return ([least, most], [least - 1, most + 1]) }
        // A duration has no more than nanoseconds.
        let isTime = words.contains("seconds")
        return ([least, most], isTime ? [least - 0.001, most + 0.001] : [least.nextDown, most.nextUp])
    }

    @Test(arguments: NumericKey.all)
    func `a file and a program take the same lowest and highest value, and refuse the next ones`(_ row: NumericKey)
        throws
    {
        let key = try #require(Self.numbers.first { $0.key == row.key })
        let (inside, outside) = try Self.values(key)
        func text(_ value: Double) -> String { key.kind == .number ? "\(value)" : "\(Int64(value))" }
        for value in inside {
            #expect(row.problems(inYAML: text(value)) == [], "\(value)")
            #expect(row.problems(with: value) == [], "\(value)")
        }
        for value in outside {
            #expect(row.problems(inYAML: text(value)) == [row.name], "\(value)")
            #expect(row.problems(with: value).contains(row.name), "\(value)")
        }
    }
}
