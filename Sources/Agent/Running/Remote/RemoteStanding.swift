package import Logging
package import TrackEngine

/// What somebody far away has configured, as an operator sees it. No key that can be changed from afar holds a secret.
package struct RemoteStanding: Sendable, Hashable {
    /// The values, and what is on trial.
    package var values = RemoteValues()
    /// What is wrong with what was kept, in words for a person.
    package var problem: String?
    /// Why values that are kept do not hold, by key.
    package var withheld: [String: String] = [:]
    /// What the next start undoes, a sentence a key.
    package var undone: [String] = []

    package init(_ values: RemoteValues = RemoteValues(), problem: String? = nil) {
        (self.values, self.problem) = (values, problem)
    }

    /// Everything that a person should know beside the values, a sentence each. It names no value that does not hold.
    package var remarks: [String] {
        (problem.map { [$0] } ?? [])
            + withheld.sorted { $0.key < $1.key }.map { "\($0.key) does not hold: \($0.value)" } + undone
    }

    /// Without a trial, as the next start leaves it.
    package var forNextStart: RemoteStanding {
        guard values.trial != nil else { return self }
        var next = self
        next.values = values.undone
        next.undone = values.keys.sorted().filter(values.isOnTrial).map {
            "\($0) = \(values.values[$0]?.text ?? "as configured") is on trial: the next start undoes it"
        }
        return next
    }

    /// Tells the log which values do not hold, and did before.
    package func tellWithheld(since before: RemoteStanding, to logger: Logger) {
        for (key, reason) in withheld.sorted(by: { $0.key < $1.key }) where before.withheld[key] != reason {
            logger.warning(
                "what was configured from afar does not hold", metadata: ["key": "\(key)", "reason": "\(reason)"])
        }
    }

    /// For programs; absent where nothing is configured from afar and nothing is wrong.
    package var json: JSONValue? {
        let remarks = remarks
        guard !values.isEmpty || !remarks.isEmpty else { return nil }
        let entries = values.keys.sorted().map { key in
            let entry = values.values[key]
            return JSONValue.Member(
                key,
                .members(
                    ("value", entry.map { .string($0.text) } ?? .null), ("since", entry?.since?.json),
                    ("onTrial", .boolean(values.isOnTrial(key))), ("problem", withheld[key].map { .string($0) })))
        }
        return .members(
            ("values", .object(entries)), ("until", values.trial?.end?.json),
            ("problem", remarks.isEmpty ? nil : .string(remarks.joined(separator: "; "))))
    }

    /// For a person, a line a key: `tracking.distanceFilter = 7 since 2026-05-01T14:00:00Z, on trial until …`.
    package var lines: [String] {
        let lines = values.keys.sorted().map { key in
            let entry = values.values[key]
            let since = entry?.since.map { " since \($0.rfc3339(.seconds))" } ?? ""
            let trial = values.isOnTrial(key) ? ", on trial\(values.trial?.words ?? "")" : ""
            let objection = withheld[key].map { ", does not hold: \($0)" } ?? ""
            return "\(key) = \(entry?.text ?? "as configured")\(since)\(trial)\(objection)"
        }
        return lines + (problem.map { [$0] } ?? []) + undone
    }
}

extension RemoteValues.Trial {
    fileprivate var words: String { end.map { " until \($0.rfc3339(.seconds))" } ?? "" }
}
