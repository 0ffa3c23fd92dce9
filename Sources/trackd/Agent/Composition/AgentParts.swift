import TrackEngine
import TrackEngineMQTT

/// The sources and sinks of an agent, made and not yet running.
struct AgentParts: Sendable {
    private(set) var sources: [any FixSource] = []
    private(set) var sinks: [SinkBinding] = []

    /// Makes everything, so that all that is wrong with any of it is known at once.
    ///
    /// - Throws: ``AgentStartError/configuration(_:)``; what had been made is closed again.
    static func make(
        _ sources: [SourceConfiguration], _ sinks: [SinkConfiguration], _ context: CompositionContext
    ) async throws(AgentStartError) -> AgentParts {
        var parts = AgentParts()
        var problems: [ConfigurationProblem] = []
        for source in sources {
            do throws(ConfigurationError) {
                parts.sources += try source.makeSources(context)
            } catch {
                problems += error.problems
            }
        }
        for (index, sink) in sinks.enumerated() {
            var context = context
            context.isFirstOfType = !sinks[..<index].contains { type(of: $0.kind) == type(of: sink.kind) }
            do throws(ConfigurationError) {
                parts.sinks.append(try sink.makeSink(context))
            } catch {
                problems += error.problems
            }
        }
        guard problems.isEmpty else {
            await parts.close()
            throw .configuration(AgentConfigurationError(ConfigurationError(problems: problems)))
        }
        return parts
    }

    /// The sinks that publish over MQTT.
    var publishers: [MQTTSink] { sinks.compactMap { $0.sink as? MQTTSink } }

    /// Releases what the sinks hold, all at the same time: each may take seconds to say farewell.
    func close() async {
        await withTaskGroup { group in
            for binding in sinks { group.addTask { await binding.sink.close() } }
        }
    }
}
