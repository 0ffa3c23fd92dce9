package import TrackEngine
import TrackEngineSimulated

extension SimulatedSourceConfiguration {
    package func makeSources(
        named name: SourceID, _ context: CompositionContext
    ) throws(ConfigurationError) -> [any FixSource] {
        var configuration = SimulatedConfiguration(seed: seed, rate: rate, duration: duration, pace: .realTime)
        configuration.id = name
        configuration.start = start ?? configuration.start
        configuration.startTime = startTime
        do throws(SimulatedConfigurationError) {
            return try SimulatedSource.fleet(vehicles: vehicles, like: configuration)
        } catch {
            throw ConfigurationError(problems: [
                ConfigurationProblem(key: "sources.\(name)", value: "{…}", expectation: "\(error)")
            ])
        }
    }
}
