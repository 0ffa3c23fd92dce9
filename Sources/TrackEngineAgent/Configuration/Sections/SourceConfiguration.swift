package import TrackEngine
package import TrackEngineSettings

/// The selection of the sources of fixes.
package enum SourceSelection: Sendable, Hashable {
    /// gpsd if it responds on localhost:2947, else a simulated vehicle: the selection without a configuration.
    case automatic
    /// The listed sources, each with its own name. The list may be empty, for an agent that only delivers.
    case listed([SourceConfiguration])
}

/// A source of any type.
package struct SourceConfiguration: Sendable, Hashable {
    /// The source's name: its type unless configured; the second of a type is called `gpsd-2`.
    package var name: SourceID
    /// The settings of its type.
    package var kind: any SourceSettings

    package init(name: SourceID, kind: any SourceSettings) {
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
}

extension SourceSelection {
    /// Makes recordings replay from their start, regardless of the records in the store.
    mutating func startRecordingsOver() {
        guard case .listed(var sources) = self else { return }
        for (index, source) in sources.enumerated() {
            guard var settings = source.kind as? any RecordedSettings else { continue }
            settings.startOver()
            sources[index].kind = settings
        }
        self = .listed(sources)
    }

    /// Reads the sources from the whole configuration.
    static func decode(_ root: inout TableDecoder, _ plugins: [SourcePlugin]) -> SourceSelection {
        let nodes = root.nodes("sources")
        guard let highest = nodes.first else { return .automatic }
        if highest.isNull {
            // An empty variable must not put a simulated vehicle in place of the file's sources.
            if highest.origin.isAboveFile { root.reject("sources", nil, "automatic or a list of sources") }
            return .automatic
        }
        if highest.text == "automatic" { return .automatic }
        if highest.text != nil {
            root.reject("sources", nil, "automatic or a list of sources")
            return .automatic
        }
        var names = UniqueNameList()
        return .listed(
            root.tables("sources") { table in
                let plugin = table.plugin(of: plugins, \.type)
                var settings = plugin?.settings.init()
                if settings == nil { table.forgiveUnknownKeys() } else { settings?.read(&table) }
                let name = names.next(plugin?.type, &table)
                table.reportUnknownKeys()
                return settings.map { SourceConfiguration(name: SourceID(rawValue: name), kind: $0) }
            })
    }

    var shown: ConfigurationValue {
        switch self {
        case .automatic: .text("automatic")
        case .listed(let sources): .list(sources.map { .element($0.kind, name: $0.name.rawValue) })
        }
    }
}
