import TrackEngine
import TrackEngineFiles
import TrackEngineGPSD
import TrackEngineHTTP
import TrackEngineHistory
import TrackEngineMQTT
import TrackEngineSQLite
import TrackEngineServer
public import TrackEngineSettings
import TrackEngineSimulated

/// The types of sources, sinks and stores that an agent's configuration can name.
public struct AgentPlugins: Sendable {
    /// The types of sources. Without a configuration, the first that detects a source is used.
    public var sources: [SourcePlugin]
    /// The types of sinks.
    public var sinks: [SinkPlugin]
    /// The types of stores. A configuration without a type gets the first, or SQLite's if there is none.
    public var stores: [StorePlugin]

    /// Exactly these types, by default with the stores that come with the engine.
    public init(
        sources: [SourcePlugin] = [], sinks: [SinkPlugin] = [],
        stores: [StorePlugin] = AgentPlugins.standardStores
    ) {
        self.sources = sources
        self.sinks = sinks
        self.stores = stores
    }

    /// The stores that come with the engine.
    public static let standardStores: [StorePlugin] = [SQLiteFixStore.plugin, InMemoryFixStore.plugin]

    /// The type of a store without a configured type.
    var defaultStore: StorePlugin { stores.first ?? SQLiteFixStore.plugin }

    /// All plugins that come with the engine; a new plugin is a row here.
    public static let standard = AgentPlugins(
        sources: [GPSDSource.plugin, ReplaySource.plugin, SimulatedSource.plugin, MiataruSource.plugin],
        sinks: [
            OverlandSink.plugin, OsmAndSink.plugin, OwnTracksSink.plugin, HTTPSink.plugin, MQTTSink.plugin,
            MiataruSink.plugin,
            FileSink.plugin,
            HistorySink.plugin,
            ServerSink.plugin,
        ])

    /// Adds types of sources.
    public static func + (plugins: AgentPlugins, more: [SourcePlugin]) -> AgentPlugins {
        AgentPlugins(sources: plugins.sources + more, sinks: plugins.sinks, stores: plugins.stores)
    }

    /// Adds types of sinks.
    public static func + (plugins: AgentPlugins, more: [SinkPlugin]) -> AgentPlugins {
        AgentPlugins(sources: plugins.sources, sinks: plugins.sinks + more, stores: plugins.stores)
    }

    /// Adds types of stores.
    public static func + (plugins: AgentPlugins, more: [StorePlugin]) -> AgentPlugins {
        AgentPlugins(sources: plugins.sources, sinks: plugins.sinks, stores: plugins.stores + more)
    }

    /// The longest link to accept, in bytes.
    static let longestLink = 8192

    /// Reads a link with which a server configures its senders.
    ///
    /// - Throws: if no plugin supports such links, or the problem that the plugin finds.
    package func setupLink(_ text: String) throws(SetupLink.Malformed) -> (link: SetupLink, type: String) {
        guard text.utf8.count <= Self.longestLink else {
            throw SetupLink.Malformed("expected a link of at most \(Self.longestLink) bytes")
        }
        for plugin in sinks {
            guard let format = plugin.setupLink, text.lowercased().hasPrefix(format.prefix) else { continue }
            return (try format.read(text), plugin.type)
        }
        throw SetupLink.Malformed("expected a link that begins with \(setupPrefixes.map { "\($0)?" }.inWords)")
    }

    /// The prefixes of the links that plugins support.
    var setupPrefixes: [String] { sinks.compactMap { $0.setupLink?.prefix } }
}
