package import TrackEngine

/// A destination of records: a sink of any type.
package struct SinkConfiguration: Sendable, Hashable {
    /// The sink's name; its type unless configured. The store saves the sink's cursor under it.
    package var name: SinkID
    /// The sync schedule. `autoSync` is on unless configured otherwise.
    package var sync = SyncConfiguration()
    /// The settings of its type.
    package var kind: any SinkSettings

    package init(name: SinkID, kind: any SinkSettings) {
        self.name = name
        self.kind = kind
        if let threshold = (kind as? any SyncSettings)?.defaultSyncThreshold { sync.syncThreshold = threshold }
    }

    package static func == (left: SinkConfiguration, right: SinkConfiguration) -> Bool {
        left.name == right.name && left.sync == right.sync && left.kind.isEqual(to: right.kind)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(sync)
        hasher.combine(kind)
    }
}

// MARK: Reading and showing

extension SinkConfiguration {
    /// Reads the section `sinks`; problems go to the decoder's report.
    ///
    /// - Parameters:
    ///   - plugins: the types that a sink can have.
    ///   - defaults: the values of schedules that were given for all sinks.
    ///   - inherited: the values of other keys that were given for all sinks.
    package static func decode(
        _ root: inout TableDecoder, _ plugins: [SinkPlugin], defaults: Overlay<SyncConfiguration> = Overlay(),
        inherited: [ConfigurationNode.Member] = []
    ) -> [SinkConfiguration] {
        var names = UniqueNameList()
        var places: Set<String> = []
        return root.tables("sinks") { table in
            let plugin = table.plugin(of: plugins, \.type)
            let name = names.next(plugin?.type, &table)
            guard let plugin else { return nil }
            var kind = plugin.settings.init()
            table.inherit(plugin.inheritedKeys, from: inherited)
            kind.read(&table)
            var sink = SinkConfiguration(name: SinkID(rawValue: name), kind: kind)
            if let claim = sink.conflict, claim.isRefused, !places.insert(claim.place).inserted {
                table.reject(claim.key, nil, claim.expectation)
            }
            sink.sync = defaults.applied(to: sink.sync, SyncConfiguration.fields)
            for field in SyncConfiguration.fields { field.read(&table, &sink.sync) }
            table.reportUnknownKeys()
            return sink
        }
    }

    package var shown: ConfigurationValue {
        let common = SyncConfiguration.fields.map { ConfigurationValue.Member(key: $0.name, value: $0.show(sync)) }
        return .element(kind, name: name.rawValue, common)
    }
}

// MARK: Directories and conflicts

extension SinkConfiguration {
    /// The path of the directory that the sink needs for itself; `nil` if it needs none.
    package var directory: String? { (kind as? any DirectorySettings)?.directory }

    /// The resource that the sink should not share with another one, possibly its directory.
    package var conflict: ConflictKey? {
        guard let directory else { return (kind as? any ConflictSettings)?.conflict }
        let path = directory.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
        return ConflictKey(
            place: "directory:/" + path, key: "directory",
            expectation: Self.expectationOfDirectory, isRefused: true)
    }

    package static let expectationOfDirectory = "a directory of its own: another sink writes there"
}

// MARK: Creating sinks

extension SinkConfiguration {
    /// Creates the sink with its schedule. It does not send yet.
    ///
    /// - Throws: the problems that the sink finds, under their whole keys.
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

    /// Creates the sinks of a list. Those that cannot be created add to the problems.
    package static func makeSinks(
        _ sinks: [SinkConfiguration], _ context: PluginContext, _ problems: inout [ConfigurationProblem]
    ) -> [SinkBinding] {
        var made: [SinkBinding] = []
        for (index, sink) in sinks.enumerated() {
            var context = context
            context.isFirstOfType = !sinks[..<index].contains { type(of: $0.kind) == type(of: sink.kind) }
            do throws(ConfigurationError) { made.append(try sink.makeSink(context)) } catch {
                problems += error.problems
            }
        }
        return made
    }
}
