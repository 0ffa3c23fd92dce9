package import TrackEngine
package import TrackEngineSettings

/// The sources and sinks of an agent, made and not yet running.
struct AgentParts: Sendable {
    private(set) var sources: [any FixSource] = []
    private(set) var sinks: [SinkBinding] = []
    /// How many sources tell where the tracked object is.
    private(set) var ownSourceCount = 0
    private var sourceTypes: [SourceID: String] = [:]
    private var sinkTypes: [SinkID: String] = [:]
    /// Who sees what a sink is given.
    private var readers: [SinkID: String] = [:]

    /// Makes everything, so that all that is wrong with any of it is known at once.
    ///
    /// - Throws: ``AgentStartError/configuration(_:)``; what had been made is closed again.
    static func make(
        _ sources: [SourceConfiguration], _ sinks: [SinkConfiguration], _ places: ConfigurationPlaces,
        _ context: PluginContext
    ) async throws(AgentStartError) -> AgentParts {
        var parts = AgentParts()
        var problems: [ConfigurationProblem] = []
        for source in sources {
            do throws(ConfigurationError) {
                let made = try source.makeSources(context)
                parts.sources += made
                if source.kind.tellsOwnPlace { parts.ownSourceCount += made.count }
                for one in made { parts.sourceTypes[one.id] = type(of: source.kind).type }
            } catch {
                problems += error.problems
            }
        }
        for (index, sink) in sinks.enumerated() {
            var context = context
            context.isFirstOfType = !sinks[..<index].contains { type(of: $0.kind) == type(of: sink.kind) }
            do throws(ConfigurationError) {
                parts.sinks.append(try sink.makeSink(context))
                parts.sinkTypes[sink.name] = type(of: sink.kind).type
                parts.readers[sink.name] = sink.kind.readers
            } catch {
                problems += error.problems
            }
        }
        guard problems.isEmpty else {
            await parts.close()
            throw .configuration(AgentConfigurationError(ConfigurationError(problems: problems), places))
        }
        return parts
    }

    /// What a source or sink says about itself, by name.
    func sourceStatus(now: Timestamp) -> [SourceID: PluginStatus] {
        Self.status(of: sources.map { ($0.id, $0) }, sourceTypes, now)
    }

    /// As ``sourceStatus(now:)``, and who sees what a sink is given.
    func sinkStatus(now: Timestamp) -> [SinkID: PluginStatus] {
        var status = Self.status(of: sinks.map { ($0.sink.id, $0.sink) }, sinkTypes, now)
        for (sink, readers) in readers {
            guard let type = sinkTypes[sink] else { continue }
            let item = StatusItem("seenBy", .text(readers), text: "seen by \(readers)", tone: .faint)
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

    /// Lets those sources and sinks that need the agent know it.
    func attach(to agent: any AgentServices) {
        for source in sources { (source as? any AgentAttachable)?.attach(to: agent) }
        for binding in sinks { (binding.sink as? any AgentAttachable)?.attach(to: agent) }
    }

    /// The ids by which sources ask for other devices' places.
    func followedIDs() -> [Secret] { sources.flatMap { ($0 as? any DeviceFollowing)?.followedIDs() ?? [] } }

    /// The links under which sinks share the place.
    func sharedLinks() async -> [(sink: SinkID, link: Secret)] {
        var links: [(sink: SinkID, link: Secret)] = []
        for binding in sinks {
            guard let link = await (binding.sink as? any PlaceSharing)?.sharedLink() else { continue }
            links.append((binding.sink.id, link))
        }
        return links
    }

    /// Releases what the sinks hold, all at the same time: each may take seconds to disconnect.
    func close() async {
        await withTaskGroup { group in
            for binding in sinks { group.addTask { await binding.sink.close() } }
        }
    }
}

extension SourceConfiguration {
    /// The sources that this row of the configuration describes: as many as it has vehicles, else one.
    package func makeSources(_ context: PluginContext) throws(ConfigurationError) -> [any FixSource] {
        var context = context
        context.prefix = "sources.\(name)."
        do throws(ConfigurationError) { return try kind.makeSources(named: name, context) } catch {
            throw error.under(context.prefix, kind)
        }
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
            throw error.under(context.prefix, kind)
        }
    }
}

extension ConfigurationError {
    /// What a plugin finds wrong under its own keys, under those of the whole configuration. Where its settings have no
    /// `deviceID` of their own, it was told the agent's.
    fileprivate func under(_ prefix: String, _ settings: any PluginSettings) -> ConfigurationError {
        ConfigurationError(
            problems: problems.map { problem in
                let isOfAgent = problem.key == "deviceID" && !settings.gives("deviceID")
                return ConfigurationProblem(
                    key: isOfAgent ? "device.id" : prefix + problem.key, value: problem.value,
                    expectation: problem.expectation)
            })
    }
}
