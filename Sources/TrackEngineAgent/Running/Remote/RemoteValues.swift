package import TrackEngine
package import TrackEngineSettings

/// The remote settings as they are saved in the state directory, with the change on trial. A pure value.
package struct RemoteValues: Sendable, Hashable {
    /// The value of a key.
    package struct Entry: Sendable, Hashable {
        /// The value as it would be written in the configuration.
        package var text: String
        /// The time of the change, by the machine's clock; absent if it was not saved.
        package var since: Timestamp?

        package init(_ text: String, since: Timestamp? = nil) { (self.text, self.since) = (text, since) }
    }

    /// A change that is not confirmed yet.
    package struct Trial: Sendable, Hashable {
        /// The values before the change.
        package var before: [String: Entry]
        /// The time at which the change is undone unless it is confirmed, by the machine's clock.
        package var end: Timestamp?
    }

    /// The values in force, by key.
    package var values: [String: Entry] = [:]
    /// The change on trial; `nil` when all is confirmed.
    package var trial: Trial?

    package init() {}

    /// The texts of the values in force, by key.
    package var texts: [String: String] { values.mapValues(\.text) }

    /// Whether there are no remote settings, and were none before a trial.
    package var isEmpty: Bool { values.isEmpty && trial == nil }

    /// The values with a change on trial. A key with ``RemoteValue/asConfigured`` returns to its configured value.
    package func changed(by wanted: [RemoteValue], now: Timestamp, end: Timestamp) -> RemoteValues {
        var next = self
        next.trial = Trial(before: values, end: end)
        for value in wanted {
            if value.text == RemoteValue.asConfigured {
                next.values[value.key] = nil
            } else if next.values[value.key]?.text != value.text {
                next.values[value.key] = Entry(value.text, since: now)
            }
        }
        return next
    }

    /// The values with the change confirmed.
    package var confirmed: RemoteValues {
        var next = self
        next.trial = nil
        return next
    }

    /// The values before the change on trial.
    package var undone: RemoteValues {
        var next = RemoteValues()
        next.values = trial?.before ?? values
        return next
    }

    /// All keys with a value now or before the trial.
    package var keys: Set<String> { Set(values.keys).union((trial?.before ?? [:]).keys) }

    /// The values without some keys, also in the state before a trial. A trial with no remaining change is over.
    package func cleared(of keys: Set<String>) -> RemoteValues {
        var next = self
        for key in keys {
            next.values[key] = nil
            next.trial?.before[key] = nil
        }
        if let trial = next.trial, trial.before.mapValues(\.text) == next.texts { next.trial = nil }
        return next
    }

    /// Whether the value of a key is on trial.
    package func isOnTrial(_ key: String) -> Bool {
        trial.map { $0.before[key]?.text != values[key]?.text } ?? false
    }

    /// The values in force without some keys.
    func without(_ keys: some Collection<String>) -> RemoteValues {
        var next = self
        for key in keys { next.values[key] = nil }
        return next
    }

    /// The values as a layer of the configuration, under their sections.
    package func layer(_ origin: ConfigurationOrigin) -> ConfigurationNode? {
        guard !values.isEmpty else { return nil }
        var sections: [String: [ConfigurationNode.Member]] = [:]
        for (key, entry) in values.sorted(by: { $0.key < $1.key }) {
            guard let dot = key.firstIndex(of: ".") else { continue }
            let node = ConfigurationNode(.scalar(.init(entry.text)), origin)
            sections[String(key[..<dot]), default: []].append(
                .init(key: String(key[key.index(after: dot)...]), node: node))
        }
        let members = sections.sorted { $0.key < $1.key }.map { section, members in
            ConfigurationNode.Member(key: section, node: ConfigurationNode(.table(members), origin))
        }
        return ConfigurationNode(.table(members), origin)
    }

    /// Whether a key can be changed remotely at all: it must apply while the agent runs, and restoring its former
    /// value must undo all effects.
    ///
    /// No key of a sink: it may configure the connection that the next change has to use. The keys under `tracking`
    /// for all sinks count as theirs. No key of the store: dropped records do not come back. No key of `events`:
    /// those are not single values, and they reveal where places are.
    package static func canChange(_ key: String) -> Bool {
        key == "log.level" || RecordingConfiguration.fields.contains { "tracking.\($0.name)" == key }
    }

    /// Whether a file that this program has written may contain a key: earlier versions permitted more keys.
    static func canBeKept(_ key: String) -> Bool {
        canChange(key) || key.hasPrefix("events.") || key.hasPrefix("store.") && ConfigurationChange.isLive(key)
    }

    /// The reason why a saved value is not in force; `nil` if it may be.
    static func objection(to key: String, allowed: [String]) -> String? {
        if !canChange(key) { return "expected a key that can be changed remotely" }
        return allowed.contains(key) ? nil : "expected a key that control.remoteKeys names"
    }
}
