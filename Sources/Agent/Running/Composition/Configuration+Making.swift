package import TrackEngine
package import TrackEngineSettings

extension SourceConfiguration {
    /// The sources that this row of the configuration describes: as many as it has vehicles, else one.
    package func makeSources(_ context: PluginContext) throws(ConfigurationError) -> [any FixSource] {
        try kind.makeSources(named: name, context)
    }
}

extension SinkConfiguration {
    /// The sink that this row of the configuration describes, with its rhythm.
    package func makeSink(_ context: PluginContext) throws(ConfigurationError) -> SinkBinding {
        var context = context
        context.prefix = "sinks.\(name)."
        context.sync = sync
        do throws(ConfigurationError) {
            return SinkBinding(try kind.makeSink(named: name, context), sync: sync)
        } catch {
            throw ConfigurationError(
                problems: error.problems.map { problem in
                    ConfigurationProblem(
                        key: "sinks.\(name).\(problem.key)", value: problem.value, expectation: problem.expectation)
                })
        }
    }
}
