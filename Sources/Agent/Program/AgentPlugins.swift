import TrackEngineFiles
import TrackEngineGPSD
import TrackEngineHTTP
import TrackEngineMQTT
import TrackEngineReplay
public import TrackEngineSettings
import TrackEngineSimulated

/// The types of sources and sinks that an agent's configuration can name.
public struct AgentPlugins: Sendable {
    /// The types of sources. Without a configuration, the first whose detection finds something is taken.
    public var sources: [SourcePlugin]
    /// The types of sinks.
    public var sinks: [SinkPlugin]

    /// These and no others.
    public init(sources: [SourcePlugin] = [], sinks: [SinkPlugin] = []) {
        self.sources = sources
        self.sinks = sinks
    }

    /// Everything that comes with the engine; a new plugin is a row here.
    public static let standard = AgentPlugins(
        sources: [GPSDSource.plugin, ReplaySource.plugin, SimulatedSource.plugin],
        sinks: [OverlandSink.plugin, MQTTSink.plugin, FileSink.plugin])

    /// With more types of sources.
    public static func + (plugins: AgentPlugins, more: [SourcePlugin]) -> AgentPlugins {
        AgentPlugins(sources: plugins.sources + more, sinks: plugins.sinks)
    }

    /// With more types of sinks.
    public static func + (plugins: AgentPlugins, more: [SinkPlugin]) -> AgentPlugins {
        AgentPlugins(sources: plugins.sources, sinks: plugins.sinks + more)
    }
}
