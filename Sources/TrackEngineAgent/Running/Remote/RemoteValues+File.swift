import TrackEngine
import TrackEngineSettings

/// The format of the values in their file. `since`, `beforeSince` and `until` may be absent: earlier versions wrote
/// none.
extension RemoteValues {
    /// Reads the output of ``bytes``; `nil` for any other content.
    package init?(_ bytes: [UInt8]) {
        guard let json = JSONValue(ifReadable: bytes, maximumDepth: 3), json["version"]?.number == 1,
            let values = Self.entries(json["values"], since: json["since"])
        else { return nil }
        self.values = values
        guard let earlier = json["before"] else { return }
        guard let before = Self.entries(earlier, since: json["beforeSince"]) else { return nil }
        trial = Trial(before: before, end: json["until"]?.string.flatMap { Timestamp(rfc3339: $0) })
    }

    /// A JSON object on one line.
    package var bytes: [UInt8] {
        var members = [JSONValue.Member("version", .number(1)), .init("values", Self.texts(values))]
        if let since = Self.times(values) { members.append(.init("since", since)) }
        if let trial {
            members.append(.init("before", Self.texts(trial.before)))
            if let since = Self.times(trial.before) { members.append(.init("beforeSince", since)) }
            if let end = trial.end { members.append(.init("until", end.json)) }
        }
        return JSONValue.object(members).bytes + [UInt8(ascii: "\n")]
    }

    private static func entries(_ json: JSONValue?, since: JSONValue?) -> [String: Entry]? {
        guard let members = json?.members, members.count <= 4 * RemoteValue.maximumCount else { return nil }
        var entries: [String: Entry] = [:]
        for member in members {
            guard let text = member.value.string, canBeKept(member.name) else { return nil }
            entries[member.name] = Entry(text, since: since?[member.name]?.string.flatMap { Timestamp(rfc3339: $0) })
        }
        return entries
    }

    private static func texts(_ entries: [String: Entry]) -> JSONValue {
        .object(entries.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, .string($0.value.text)) })
    }

    private static func times(_ entries: [String: Entry]) -> JSONValue? {
        let times = entries.sorted { $0.key < $1.key }.compactMap { key, entry in
            entry.since.map { JSONValue.Member(key, $0.json) }
        }
        return times.isEmpty ? nil : .object(times)
    }
}
