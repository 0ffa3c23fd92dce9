import TrackEngine
import TrackEngineSettings

/// The changes in a new configuration, for a reload while the agent runs.
///
/// Applied while running: all of `tracking`, `events`, `profiles` and `wifi`; retention; `autoSync`, `syncThreshold`,
/// `maxBatchSize` and `backoff` of sinks; the log's level. All other changes, such as sources, addresses,
/// credentials, the store's path and the set of sinks, need a restart.
package struct ConfigurationChange: Sendable, Hashable {
    /// Keys that can be applied now, such as `sinks.home.syncThreshold`.
    package let live: [String]
    /// Keys that need a restart. An added or removed sink or source is named as a whole, `sinks.home`.
    package let restart: [String]

    /// Whether there are no changes.
    package var isEmpty: Bool { live.isEmpty && restart.isEmpty }

    /// Compares two configurations.
    package init(from old: AgentConfiguration, to new: AgentConfiguration) {
        let before = Values(old)
        let after = Values(new)
        var live: Set<String> = []
        var restart: Set<String> = []
        for key in Set(before.leaves.keys).union(after.leaves.keys) where before.leaves[key] != after.leaves[key] {
            if let element = Self.element(of: key),
                before.elements.contains(element) != after.elements.contains(element)
            {
                restart.insert(element)
            } else if Self.isLive(key) {
                live.insert(key)
            } else {
                restart.insert(key)
            }
        }
        self.live = live.sorted()
        self.restart = restart.sorted()
    }

    /// The values of a configuration by key, and the names of its sinks and sources.
    private struct Values {
        let leaves: [String: ConfigurationValue]
        let elements: Set<String>

        init(_ configuration: AgentConfiguration) {
            leaves = Dictionary(configuration.shown.leaves().map { ($0.key, $0.value) }) { first, _ in first }
            elements = Set(leaves.keys.compactMap(ConfigurationChange.element(of:)))
        }
    }

    /// `sinks.home` for `sinks.home.url`; names contain no dots.
    private static func element(of key: String) -> String? {
        for section in ["sinks.", "sources."] where key.hasPrefix(section) {
            let rest = key.dropFirst(section.count)
            return section + rest.prefix { $0 != "." }
        }
        return nil
    }

    /// Whether a key can be applied while the agent runs.
    static func isLive(_ key: String) -> Bool {
        if key.hasPrefix("tracking.") || key == "log.level" { return true }
        if ["events.", "profiles.", "wifi."].contains(where: key.hasPrefix) { return true }
        if key.hasPrefix("store.") { return RetentionConfiguration.fields.contains { "store.\($0.name)" == key } }
        guard let element = element(of: key), element.hasPrefix("sinks.") else { return false }
        return SyncConfiguration.liveKeys.contains(String(key.dropFirst(element.count + 1)))
    }
}

extension SyncConfiguration {
    fileprivate static let liveKeys: Set<String> = [
        "autoSync", "syncThreshold", "maxBatchSize", "backoff.maximum", "backoff.jitter",
    ]
}
