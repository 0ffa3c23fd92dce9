import Logging
package import TrackEngine

/// The remote settings as an operator sees them. No key that can be changed remotely holds a secret.
package struct RemoteStatus: Sendable, Hashable {
    /// The values, and the change on trial.
    package var values = RemoteValues()
    /// The problem with the saved values, in words for the user.
    package var problem: String?
    /// The reasons why saved values are not in force, by key.
    package var withheld: [String: String] = [:]
    /// The changes that the next start undoes, a sentence for each key.
    package var undone: [String] = []

    package init(_ values: RemoteValues = RemoteValues(), problem: String? = nil) {
        (self.values, self.problem) = (values, problem)
    }

    /// The remarks for the user in addition to the values, a sentence each. They name no value that is not in force.
    package var remarks: [String] {
        (problem.map { [$0] } ?? [])
            + withheld.sorted { $0.key < $1.key }.map { "\($0.key) does not hold: \($0.value)" } + undone
    }

    /// The settings without a trial, as the next start leaves them.
    var forNextStart: RemoteStatus {
        guard values.trial != nil else { return self }
        var next = self
        next.values = values.undone
        next.undone = values.keys.sorted().filter(values.isOnTrial).map {
            "\($0) = \(values.values[$0]?.text ?? "as configured") is on trial: the next start undoes it"
        }
        return next
    }

    /// Logs the values that are not in force, unless `before` has them with the same reason.
    func tellWithheld(since before: RemoteStatus, to logger: Logger) {
        for (key, reason) in withheld.sorted(by: { $0.key < $1.key }) where before.withheld[key] != reason {
            logger.warning(
                "remote setting is not in force", metadata: ["key": "\(key)", "reason": "\(reason)"])
        }
    }

    /// The settings for programs; absent if there are neither remote settings nor problems.
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

    /// The settings for the user, a line for each key: `tracking.distanceFilter = 7 since 2026-05-01T14:00:00Z, on
    /// trial until …`.
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
