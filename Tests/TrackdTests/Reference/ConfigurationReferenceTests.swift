import Foundation
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineSettings

/// What the reference says of each key, and that it is true.
@Suite struct ConfigurationReferenceTests {
    private static let program = Agent(name: "trackd", plugins: .standard)
    private static let reference = ConfigurationReference.packaged(program)

    @Test(arguments: reference.keys)
    func `every key says in a sentence what it means, and what it may be`(_ key: KeyDescription) {
        #expect(key.meaning.split(separator: " ").count >= 3, "\(key.key)")
        #expect(key.meaning.hasSuffix("."), "\(key.key): \(key.meaning)")
        #expect(key.meaning.first?.isLowercase == false, "\(key.key): \(key.meaning)")
        #expect(!key.expectation.isEmpty, "\(key.key)")
    }

    @Test func `every section and every type says what it is`() {
        for section in Self.reference.sections {
            #expect(
                section.summary.split(separator: " ").count >= 3 && section.summary.hasSuffix("."), "\(section.title)")
        }
    }

    /// The keys of the reference, but those of tables in sections, are those that `check --show` prints, which `EffectiveConfigurationTests` lists.
    @Test func `every key that is shown is in the reference, and the other way round`() throws {
        let defaults = AgentConfiguration(stateDirectory: "/var/lib/trackd", program: Self.program)
        let shown = try Given.configuration(defaults.effectiveYAML).effectiveYAML
            .split(separator: "\n").filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }.map {
                $0.prefix { $0 != ":" }.dropFirst(2)
            }
        let plain = Self.reference.sections.filter { $0.title != "store of type memory" }.flatMap(\.keys).map(\.key)
            .filter { !$0.hasPrefix("sinks") && !$0.hasPrefix("sources") && $0.split(separator: ".").count < 3 }
        #expect(plain.map { $0.drop { $0 != "." }.dropFirst() } == shown)
    }

    /// Those but the keys of tables in lists, which have no default by themselves.
    private static let keysWithDefault = reference.keys.filter { key in
        let parent = key.key.split(separator: ".").dropLast().joined(separator: ".")
        let isInList = reference.keys.contains { $0.key == parent && $0.kind == .list }
        return key.defaultValue != nil && !key.key.hasSuffix("*.name") && !isInList
    }

    @Test(arguments: keysWithDefault)
    func `what is said to be the default is taken, and changes nothing`(_ key: KeyDescription) throws {
        let fallback = try #require(key.defaultValue)
        let parts = key.key.split(separator: ".").map(String.init)
        let isElement = parts.count > 2 && ["sources", "sinks"].contains(parts[0])
        let path = parts.dropFirst(isElement ? 2 : 1)
        let value = Self.table(path, fallback)
        // A table that may be null is there as soon as one of its keys is given.
        let nothing = path.count > 1 ? Self.table(path.dropLast(), .table([])) : .table([])
        let storeType = Self.reference.sections.first { $0.keys.contains(key) }?.storeType
        func text(_ value: ConfigurationValue) throws -> String {
            guard !path.isEmpty else { return Self.root(parts[0], fallback) }
            guard isElement else { return Self.root(parts[0], storeType.map(value.with) ?? value) }
            return try Self.element(of: parts[0], parts[1], with: value)
        }
        let yaml = try text(value)
        let without = path.isEmpty ? "{}" : try text(nothing)
        #expect(Self.problems(yaml) == [])
        #expect(try Self.configuration(yaml) == Self.configuration(without))
    }

    private static func table(_ path: ArraySlice<String>, _ value: ConfigurationValue) -> ConfigurationValue {
        path.reversed().reduce(value) { value, part in .table([.init(key: part, value: value)]) }
    }

    private static func root(_ section: String, _ value: ConfigurationValue) -> String {
        ConfigurationValue.table([.init(key: section, value: value)]).yaml
    }

    /// A list with one element, which has what its type needs beside the value.
    private static func element(of list: String, _ type: String, with value: ConfigurationValue) throws -> String {
        let type = type == "*" ? ["sources": "gpsd", "sinks": "overland"][list] ?? "" : type
        guard case .table(let members) = value else { throw Missing() }
        let required: [ConfigurationValue.Member] =
            switch type {
            case "overland", "osmand", "owntracks": [.init(key: "url", value: .text("https://example.org/"))]
            case "http":
                [.init(key: "url", value: .text("https://example.org/?lat=%{latitude}&lon=%{longitude}"))]
            case "mqtt": [.init(key: "url", value: .text("mqtts://example.org"))]
            case "miataru": [.init(key: "url", value: .text("https://example.org"))]
            case "file", "history", "server": [.init(key: "directory", value: .text("/var/lib/trackd/tracks"))]
            case "replay": [.init(key: "path", value: .text("a.nmea"))]
            default: []
            }
        let element = ConfigurationValue.table([.init(key: "type", value: .text(type))] + required + members)
        return root(list, .list([element]))
    }

    private struct Missing: Error {}

    private static func configuration(_ yaml: String) throws -> AgentConfiguration {
        let loader = ConfigurationReader(environment: [:], stateDirectory: "/var/lib/trackd", program: program)
        return try loader.decode(.init(name: "trackd.yaml", bytes: Array(yaml.utf8), isPrivate: true))
    }

    private static func problems(_ yaml: String) -> [String] { Given.problems(yaml) }

    // MARK: Looking a key up

    @Test(arguments: [
        ("tracking.distanceFilter", ["tracking.distanceFilter"]),
        ("TRACKING.distancefilter", ["tracking.distanceFilter"]),
        (
            "httpTimeout",
            [
                "sources.miataru.httpTimeout", "sinks.overland.httpTimeout", "sinks.osmand.httpTimeout",
                "sinks.owntracks.httpTimeout", "sinks.http.httpTimeout",
                "sinks.miataru.httpTimeout",
            ]
        ),
        (
            "sinks.home.httpTimeout",
            [
                "sinks.overland.httpTimeout", "sinks.osmand.httpTimeout", "sinks.owntracks.httpTimeout",
                "sinks.http.httpTimeout",
                "sinks.miataru.httpTimeout",
            ]
        ),
        ("sinks.mqtt.httpTimeout", []),
        (
            "sinks.home.url",
            [
                "sinks.overland.url", "sinks.osmand.url", "sinks.owntracks.url", "sinks.http.url", "sinks.mqtt.url",
                "sinks.miataru.url",
            ]
        ),
        ("sinks.overland.syncThreshold", ["sinks.*.syncThreshold"]),
        ("confirm.timeout", ["sinks.mqtt.confirm.timeout"]),
        ("backoff", ["sinks.*.backoff", "sinks.*.backoff.maximum", "sinks.*.backoff.jitter"]),
        ("log", ["log.level", "log.format"]),
        ("gpsd", ["sources.gpsd.host", "sources.gpsd.port", "sources.gpsd.device"]),
        ("sqlite", ["store.commitInterval", "store.encryption", "store.encryption.key"]),
        ("memory", ["store.capacity"]),
        ("nowhere", []), ("", []), (".", []), ("a.b.c.d.e.f", []),
    ])
    func `a word finds the keys that it may mean`(_ word: String, _ expected: [String]) {
        #expect(Self.reference.keys(matching: word).map(\.key) == expected)
    }

    @Test func `a misspelled key finds the nearest`() {
        #expect(Self.reference.suggestion(for: "tracking.distanceFiter") == "tracking.distanceFilter")
        #expect(Self.reference.suggestion(for: "sinks.headquarters.httpTimout") == "httpTimeout")
    }

    // MARK: What is committed

    @Test(arguments: [
        ("Sources/TrackEngineAgent/TrackEngineAgent.docc/ConfigurationReference.md", reference.markdown),
        ("Packaging/man/trackd.yaml.5", reference.manualPage),
    ])
    func `the committed page is what the program says`(_ path: String, _ expected: String) throws {
        let root = URL(fileURLWithPath: #filePath).pathComponents.dropLast(4).joined(separator: "/").dropFirst()
        let committed = try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
        #expect(committed == expected, "\(path) differs from the fields: write it again with `make reference`")
    }

    @Test func `the manual page holds nothing that troff takes for more than text`() {
        let requests = [".SH", ".TH", ".TP", ".nh", ".br", ".PP", ".B", ".BR", ".I", ".\\\""]
        for line in Self.reference.manualPage.split(separator: "\n") {
            #expect(!line.hasPrefix("'"))
            if line.hasPrefix(".") { #expect(requests.contains(String(line.prefix { $0 != " " })), "\(line)") }
            #expect(line.utf8.allSatisfy { $0 < 0x7f }, "\(line)")
        }
        #expect(".a\\b-c'd…".escapedForManual == "\\&.a\\eb\\-c\\(aqd\\[u2026]")
    }
}

extension ConfigurationReference.Group {
    /// The type of store whose keys these are.
    fileprivate var storeType: ConfigurationValue.Member? {
        guard title.hasPrefix("store of type ") else { return nil }
        return ConfigurationValue.Member(key: "type", value: .text(String(title.dropFirst("store of type ".count))))
    }
}

extension ConfigurationValue {
    /// A table with one more key.
    fileprivate func with(_ member: Member) -> ConfigurationValue {
        guard case .table(let members) = self else { return self }
        return .table([member] + members)
    }
}
