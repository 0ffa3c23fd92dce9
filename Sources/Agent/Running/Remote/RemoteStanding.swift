package import TrackEngine

/// What somebody far away has configured, as an operator sees it. No key that can be changed from afar holds a secret.
package struct RemoteStanding: Sendable, Hashable {
    /// The values, and what is on trial.
    package var values = RemoteValues()
    /// What is wrong with what was kept, in words for a person.
    package var problem: String?

    package init(_ values: RemoteValues = RemoteValues(), problem: String? = nil) {
        (self.values, self.problem) = (values, problem)
    }

    /// For programs; absent where nothing is configured from afar and nothing is wrong.
    package var json: JSONValue? {
        guard !values.isEmpty || problem != nil else { return nil }
        let entries = values.keys.sorted().map { key in
            let entry = values.values[key]
            return JSONValue.Member(
                key,
                .members(
                    ("value", entry.map { .string($0.text) } ?? .null), ("since", entry?.since?.json),
                    ("onTrial", .boolean(values.isOnTrial(key)))))
        }
        return .members(
            ("values", .object(entries)), ("until", values.trial?.end?.json), ("problem", problem.map { .string($0) }))
    }

    /// For a person, a line a key: `tracking.distanceFilter = 7 since 2026-05-01T14:00:00Z, on trial until …`.
    package var lines: [String] {
        let lines = values.keys.sorted().map { key in
            let entry = values.values[key]
            let since = entry?.since.map { " since \($0.rfc3339(.seconds))" } ?? ""
            let trial = values.isOnTrial(key) ? ", on trial\(values.trial?.words ?? "")" : ""
            return "\(key) = \(entry?.text ?? "as configured")\(since)\(trial)"
        }
        return lines + (problem.map { [$0] } ?? [])
    }
}

extension RemoteValues.Trial {
    fileprivate var words: String { end.map { " until \($0.rfc3339(.seconds))" } ?? "" }
}
