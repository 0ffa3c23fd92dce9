import TrackEngine
import TrackEngineFiles
import TrackEngineGPSD
import TrackEngineHTTP
import TrackEngineMQTT
import TrackEngineReplay
import TrackEngineSQLite
public import TrackEngineSettings
import TrackEngineSimulated

/// The types of sources, sinks and stores that an agent's configuration can name.
public struct AgentPlugins: Sendable {
    /// The types of sources. Without a configuration, the first whose detection finds something is taken.
    public var sources: [SourcePlugin]
    /// The types of sinks.
    public var sinks: [SinkPlugin]
    /// The types of stores. A configuration that names none gets the first, or SQLite's where there is none.
    public var stores: [StorePlugin]

    /// These and no others, with the stores that come with the engine.
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

    /// The type of a store that nobody has named.
    var defaultStore: StorePlugin { stores.first ?? SQLiteFixStore.plugin }

    /// Everything that comes with the engine; a new plugin is a row here.
    public static let standard = AgentPlugins(
        sources: [GPSDSource.plugin, ReplaySource.plugin, SimulatedSource.plugin],
        sinks: [OverlandSink.plugin, MQTTSink.plugin, FileSink.plugin])

    /// With more types of sources.
    public static func + (plugins: AgentPlugins, more: [SourcePlugin]) -> AgentPlugins {
        AgentPlugins(sources: plugins.sources + more, sinks: plugins.sinks, stores: plugins.stores)
    }

    /// With more types of sinks.
    public static func + (plugins: AgentPlugins, more: [SinkPlugin]) -> AgentPlugins {
        AgentPlugins(sources: plugins.sources, sinks: plugins.sinks + more, stores: plugins.stores)
    }

    /// With more types of stores.
    public static func + (plugins: AgentPlugins, more: [StorePlugin]) -> AgentPlugins {
        AgentPlugins(sources: plugins.sources, sinks: plugins.sinks, stores: plugins.stores + more)
    }
}
