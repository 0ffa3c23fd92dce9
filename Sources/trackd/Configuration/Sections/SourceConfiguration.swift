package import TrackEngine

/// Where the fixes come from.
package enum SourceSelection: Sendable, Hashable {
    /// gpsd if one answers on localhost:2947, else a simulated vehicle: what runs without a configuration.
    case automatic
    /// These, of which each has a name of its own; none at all is possible, for an agent that only delivers.
    case listed([SourceConfiguration])
}

/// A source, of whatever type.
package struct SourceConfiguration: Sendable, Hashable {
    /// The source's name: its type unless the file says otherwise; the second of a type is called `gpsd-2`.
    package var name: SourceID
    /// What is particular to its type.
    package var kind: any SourceKind

    package init(name: SourceID, kind: any SourceKind) {
        self.name = name
        self.kind = kind
    }

    package static func == (left: SourceConfiguration, right: SourceConfiguration) -> Bool {
        left.name == right.name && left.kind.isEqual(to: right.kind)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(kind)
    }

    /// Every type of source; a new one is a file and a row here.
    static let kinds: [any SourceKind.Type] = [
        GPSDSourceConfiguration.self,
        ReplaySourceConfiguration.self,
        SimulatedSourceConfiguration.self,
    ]
}

/// The settings of a type of source.
package protocol SourceKind: ConfigurationKind {
    /// The sources that the settings describe, nothing of them running yet.
    ///
    /// - Throws: what only the source itself can find wrong.
    func makeSources(named name: SourceID, _ context: CompositionContext) throws(ConfigurationError) -> [any FixSource]
}

extension SourceSelection {
    /// Has recorded files replayed from their start, whatever the store has of them.
    mutating func startRecordingsOver() {
        guard case .listed(var sources) = self else { return }
        for index in sources.indices {
            guard var replay = sources[index].kind as? ReplaySourceConfiguration else { continue }
            replay.startsOver = true
            sources[index].kind = replay
        }
        self = .listed(sources)
    }

    /// Reads the sources from the whole configuration.
    static func decode(_ root: inout TableDecoder) -> SourceSelection {
        let nodes = root.nodes("sources")
        guard let highest = nodes.first, !highest.isNull else { return .automatic }
        if highest.text == "automatic" { return .automatic }
        if highest.text != nil {
            root.reject("sources", nil, "automatic or a list of sources")
            return .automatic
        }
        var names = UniqueNames()
        return .listed(
            root.tables("sources") { table in
                let kind = table.kind(of: SourceConfiguration.kinds)
                let name = names.next(kind.map { type(of: $0).type }, &table)
                table.reportUnknownKeys()
                return kind.map { SourceConfiguration(name: SourceID(rawValue: name), kind: $0) }
            })
    }

    var shown: Shown {
        switch self {
        case .automatic: .text("automatic")
        case .listed(let sources): .list(sources.map { .kind($0.kind, name: $0.name.rawValue) })
        }
    }
}
