package import TrackEngine
import TrackEngineGPSD

extension GPSDSourceConfiguration {
    package func makeSources(
        named name: SourceID, _ context: CompositionContext
    ) throws(ConfigurationError) -> [any FixSource] {
        var configuration = GPSDSource.Configuration(host: host, port: port)
        configuration.device = device
        return [GPSDSource(id: name, configuration: configuration, logger: context.logger)]
    }
}
