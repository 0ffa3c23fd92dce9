package import TrackEngine
package import TrackEngineSettings

/// The sources and sinks of an agent, before they run.
struct AgentPluginSet: Sendable {
    private(set) var sources: [any FixSource] = []
    private(set) var sinks: [SinkBinding] = []
    /// The number of sources that report the position of the tracked object.
    private(set) var ownSourceCount = 0
    private var sourceTypes: [SourceID: String] = [:]
    private var sinkTypes: [SinkID: String] = [:]
    /// A description of the parties that can read the records of a sink.
    private var readers: [SinkID: String] = [:]

    /// Makes all sources and sinks, and reports the problems of all of them together.
    ///
    /// - Throws: ``AgentStartError/configuration(_:)``; the parts made before are closed again.
    static func make(
        _ sources: [SourceConfiguration], _ sinks: [SinkConfiguration], _ places: ConfigurationOriginTable,
        _ context: PluginContext
    ) async throws(AgentStartError) -> AgentPluginSet {
        var parts = AgentPluginSet()
        var problems: [ConfigurationProblem] = []
        for source in sources {
            do throws(ConfigurationError) {
                let made = try source.makeSources(context)
                parts.sources += made
                if !(source.kind is any FollowSettings) { parts.ownSourceCount += made.count }
                for one in made { parts.sourceTypes[one.id] = type(of: source.kind).type }
            } catch {
                problems += error.problems
            }
        }
        parts.sinks = SinkConfiguration.makeSinks(sinks, context, &problems)
        for sink in sinks {
            parts.sinkTypes[sink.name] = type(of: sink.kind).type
            parts.readers[sink.name] = sink.kind.readers
        }
        guard problems.isEmpty else {
            await parts.close()
            throw .configuration(AgentConfigurationError(ConfigurationError(problems: problems), places))
        }
        return parts
    }

    /// Additional status items of the sources, by id.
    func sourceStatus(now: Timestamp) -> [SourceID: PluginStatus] {
        Self.status(of: sources.map { ($0.id, $0) }, sourceTypes, now)
    }

    /// As ``sourceStatus(now:)`` for the sinks, with the parties that can read their records.
    func sinkStatus(now: Timestamp) -> [SinkID: PluginStatus] {
        var status = Self.status(of: sinks.map { ($0.sink.id, $0.sink) }, sinkTypes, now)
        for (sink, readers) in readers {
            guard let type = sinkTypes[sink] else { continue }
            let item = StatusField("seenBy", .text(readers), text: "seen by \(readers)", tone: .faint)
            status[sink] = PluginStatus(type: type, items: (status[sink]?.items ?? []) + [item])
        }
        return status
    }

    private static func status<ID>(of parts: [(ID, Any)], _ types: [ID: String], _ now: Timestamp) -> [ID: PluginStatus]
    {
        var status: [ID: PluginStatus] = [:]
        for (id, part) in parts {
            guard let reporting = part as? any StatusReporting, let type = types[id] else { continue }
            status[id] = PluginStatus(type: type, items: reporting.statusItems(now: now))
        }
        return status
    }

    /// Passes the agent to the sources and sinks that need it.
    func attach(to agent: any AgentServices) {
        func attach(_ client: some AgentClient) { client.attach(to: services(of: agent)) }
        let clients = sources.map { $0 as? any AgentClient } + sinks.map { $0.sink as? any AgentClient }
        for client in clients.compactMap(\.self) { attach(client) }
    }

    /// The services that a client asks for by type. A type without these services is a mistake in the client's code.
    private func services<Services>(of agent: any AgentServices) -> Services {
        guard let services = agent as? Services else {
            preconditionFailure("expected services of an agent, found \(Services.self)")
        }
        return services
    }

    /// The ids under which sources request the positions of other devices.
    func followedIDs() -> [Secret] { sources.flatMap { ($0 as? any FollowSource)?.followedIDs() ?? [] } }

    /// The links under which sinks share the position.
    func sharedLinks() async -> [(sink: SinkID, link: Secret)] {
        var links: [(sink: SinkID, link: Secret)] = []
        for binding in sinks {
            guard let link = await (binding.sink as? any PlaceSharing)?.sharedLink() else { continue }
            links.append((binding.sink.id, link))
        }
        return links
    }

    /// Closes all sinks at the same time: each may take seconds to disconnect.
    func close() async {
        await withTaskGroup { group in
            for binding in sinks { group.addTask { await binding.sink.close() } }
        }
    }
}

extension SourceConfiguration {
    /// The sources that this entry of the configuration describes: one for each of its vehicles, else a single one.
    package func makeSources(_ context: PluginContext) throws(ConfigurationError) -> [any FixSource] {
        var context = context
        context.prefix = "sources.\(name)."
        do throws(ConfigurationError) { return try kind.makeSources(named: name, context) } catch {
            throw error.under(context.prefix, kind)
        }
    }
}
