import TrackEngine
package import TrackEngineSettings

/// What was configured from afar, as it is kept in the state directory, and whether it stays. A pure value.
package struct RemoteValues: Sendable, Hashable {
    /// What holds, text by key.
    package var values: [String: String] = [:]
    /// What held before a change that is not confirmed yet; `nil` when all is confirmed.
    package var before: [String: String]?

    package init() {}

    /// A change that is on trial.
    package func changed(by wanted: [RemoteValue]) -> RemoteValues {
        var next = self
        next.before = values
        for value in wanted { next.values[value.key] = value.text }
        return next
    }

    /// The same, for good.
    package var confirmed: RemoteValues {
        var next = self
        next.before = nil
        return next
    }

    /// What was before the change that is on trial.
    package var undone: RemoteValues {
        var next = RemoteValues()
        next.values = before ?? values
        return next
    }

    /// The values as a layer of the configuration, under their sections.
    package func layer(_ origin: ConfigurationOrigin) -> ConfigurationNode? {
        guard !values.isEmpty else { return nil }
        var sections: [String: [ConfigurationNode.Member]] = [:]
        for (key, text) in values.sorted(by: { $0.key < $1.key }) {
            guard let dot = key.firstIndex(of: ".") else { continue }
            let node = ConfigurationNode(.scalar(.init(text)), origin)
            sections[String(key[..<dot]), default: []].append(
                .init(key: String(key[key.index(after: dot)...]), node: node))
        }
        let members = sections.sorted { $0.key < $1.key }.map { section, members in
            ConfigurationNode.Member(key: section, node: ConfigurationNode(.table(members), origin))
        }
        return ConfigurationNode(.table(members), origin)
    }

    /// Whether a key can be given another value from afar at all: one that is applied while the agent runs, and is none of a
    /// sink's, because that may be the way by which the next change has to come. What stands under `tracking` for all sinks is
    /// theirs, too.
    package static func canChange(_ key: String) -> Bool {
        guard ConfigurationChange.isLive(key), !key.hasPrefix("sinks.") else { return false }
        return !key.hasPrefix("tracking.") || RecordingConfiguration.fields.contains { "tracking.\($0.name)" == key }
    }
}

// MARK: - In the file

extension RemoteValues {
    /// Reads what ``bytes`` has written; `nil` for anything else.
    package init?(_ bytes: [UInt8]) {
        guard let json = JSONValue(ifReadable: bytes, maximumDepth: 3), json["version"]?.number == 1,
            let values = Self.texts(json["values"])
        else { return nil }
        self.values = values
        if let earlier = json["before"] {
            guard let before = Self.texts(earlier) else { return nil }
            self.before = before
        }
    }

    /// A JSON object on a line.
    package var bytes: [UInt8] {
        var members = [JSONValue.Member("version", .number(1)), .init("values", Self.json(values))]
        if let before { members.append(.init("before", Self.json(before))) }
        var writer = JSONWriter()
        JSONValue.object(members).write(to: &writer)
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    private static func texts(_ json: JSONValue?) -> [String: String]? {
        guard let members = json?.members, members.count <= 4 * RemoteValue.maximumCount else { return nil }
        var texts: [String: String] = [:]
        for member in members {
            guard let text = member.value.string, canChange(member.name) else { return nil }
            texts[member.name] = text
        }
        return texts
    }

    private static func json(_ texts: [String: String]) -> JSONValue {
        .object(texts.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, .string($0.value)) })
    }
}
