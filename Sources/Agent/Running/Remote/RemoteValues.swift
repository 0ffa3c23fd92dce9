package import TrackEngine
package import TrackEngineSettings

/// What was configured from afar, as it is kept in the state directory, and whether it stays. A pure value.
package struct RemoteValues: Sendable, Hashable {
    /// What a key has.
    package struct Entry: Sendable, Hashable {
        /// The value as it would stand in the configuration.
        package var text: String
        /// Since when, by the machine's clock; absent where that was not kept.
        package var since: Timestamp?

        package init(_ text: String, since: Timestamp? = nil) { (self.text, self.since) = (text, since) }
    }

    /// What is known of a change that is not confirmed yet.
    package struct Trial: Sendable, Hashable {
        /// What held before it.
        package var before: [String: Entry]
        /// When it is undone unless it is confirmed, by the machine's clock.
        package var end: Timestamp?
    }

    /// What holds, by key.
    package var values: [String: Entry] = [:]
    /// The change on trial; `nil` when all is confirmed.
    package var trial: Trial?

    package init() {}

    /// What holds, text by key.
    package var texts: [String: String] { values.mapValues(\.text) }

    /// Whether nothing is configured from afar, nor was before a trial.
    package var isEmpty: Bool { values.isEmpty && trial == nil }

    /// A change that is on trial. A key with ``RemoteValue/asConfigured`` has what the configuration says again.
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

    /// The same, for good.
    package var confirmed: RemoteValues {
        var next = self
        next.trial = nil
        return next
    }

    /// What was before the change that is on trial.
    package var undone: RemoteValues {
        var next = RemoteValues()
        next.values = trial?.before ?? values
        return next
    }

    /// Every key of which there is something to say.
    package var keys: Set<String> { Set(values.keys).union((trial?.before ?? [:]).keys) }

    /// Without keys, also as what held before a trial, which is over where nothing of it is left.
    package func cleared(of keys: Set<String>) -> RemoteValues {
        var next = self
        for key in keys {
            next.values[key] = nil
            next.trial?.before[key] = nil
        }
        if let trial = next.trial, trial.before.mapValues(\.text) == next.texts { next.trial = nil }
        return next
    }

    /// Whether a key has its value on trial.
    package func isOnTrial(_ key: String) -> Bool {
        trial.map { $0.before[key]?.text != values[key]?.text } ?? false
    }

    /// Without some keys in what holds.
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

    /// Whether a key can be given another value from afar at all: one that is applied while the agent runs, and whose former
    /// value undoes all of it.
    ///
    /// None of a sink's, because that may be the way by which the next change has to come; what stands under `tracking` for all
    /// sinks is theirs, too. None of the store's, because records that it has dropped do not come back. None of `events`,
    /// because those are no single values, and say where places are.
    package static func canChange(_ key: String) -> Bool {
        key == "log.level" || RecordingConfiguration.fields.contains { "tracking.\($0.name)" == key }
    }

    /// Whether a key may stand in a file that this program has written: earlier versions let more be changed.
    static func canBeKept(_ key: String) -> Bool {
        canChange(key) || key.hasPrefix("events.") || key.hasPrefix("store.") && ConfigurationChange.isLive(key)
    }

    /// Why a key's value does not hold, though it is kept; `nil` where it may.
    package static func objection(to key: String, allowed: [String]) -> String? {
        if !canChange(key) { return "expected a key that can be changed from afar" }
        return allowed.contains(key) ? nil : "expected a key that control.remoteKeys names"
    }
}
