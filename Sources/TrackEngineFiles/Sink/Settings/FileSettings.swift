package import TrackEngine
public import TrackEngineSettings

extension FileSink {
    /// `type: file`: files in a directory.
    public static let plugin = SinkPlugin(FileSettings.self)
}

/// `{type: file, directory: /var/lib/trackd/tracks}`: files in a directory.
package struct FileSettings: DirectorySettings, WarningSettings {
    package static let type = "file"
    package static let summary = "Files in a directory, a new one each hour, day or trip, or by size."

    /// A preset with defaults for the keys below; keys that are set take precedence.
    package var preset: Preset?
    /// The sink's configuration. Its directory is required.
    package var configuration = FileSink.Configuration(directory: "")

    package init() {}

    /// Named sets of defaults.
    package enum Preset: String, Sendable, Hashable, CaseIterable {
        /// Trace's files: GeoJSON with Overland's properties, one an hour, `trace_…`.
        case trace
    }

    package static let fields: [Field<Self>] = [
        .text("directory", \.configuration.directory, .absolutePath).required()
            .meaning("The directory of the files; it is made if it is not there, and no other sink may write there."),
        .preset.meaning("Defaults under a name: trace makes Trace's hourly GeoJSON; keys after it change single ones."),
        .value("format", \.configuration.format, .fileFormat, show: { .text($0.rawValue) }).meaning(
            "The files' format."),
        .choice("rotation", \.configuration.rotation)
            .meaning("When a new file begins: by the time of the records in UTC, with a new trip, or by size alone."),
        .bytes("fileSize", \.configuration.fileSize, FileSink.Configuration.fileSizes)
            .meaning("A file that would grow beyond this, before compression, is finished; null for no limit."),
        .flag("gzip", \.configuration.gzip).meaning("Compresses finished files."),
        .integer("keepDays", \.configuration.keepDays, FileSink.Configuration.days, "days")
            .meaning("How long finished files stay; 0 for ever."),
        .bytes("maxBytes", \.configuration.maxBytes, FileSink.Configuration.totals)
            .meaning("How much all files may take; the oldest finished ones go first; 0 for no limit."),
        .text("prefix", \.configuration.prefix, .filePrefix).meaning("The beginning of the names of the files."),
    ]

    package var directory: String { configuration.directory }

    /// A file of another kind is left as it is, and the sink makes others.
    package var expectationOfFiles: String? { nil }

    package var readers: String? { "everyone with access to \(directory)" }

    package func cautions(beside tracking: RecordingConfiguration, sourceCount: Int) -> [String] {
        guard sourceCount > 1 else { return [] }
        let better = "csv, ndjson and geojson name the source of each record"
        return switch configuration.format {
        case .nmea: ["format = nmea: several sources become one object that jumps between them; \(better)"]
        case .gpx, .kml:
            ["format = \(configuration.format.rawValue): a new track begins at each change of the source; \(better)"]
        case .geojson, .csv, .ndjson: []
        }
    }

    package mutating func check(_ table: inout TableDecoder) {
        for problem in configuration.problems {
            // A value that was missing or refused while parsing is empty here, and was reported already.
            let isReported = problem.key == "directory" && configuration.directory.isEmpty
            let wasRefused = problem.key == "fileSize" && configuration.fileSize == nil && table.node("fileSize") != nil
            if !isReported, !wasRefused { table.reject(problem.key, problem.value, problem.expectation) }
        }
    }

    package func makeSink(named name: SinkID, _ context: PluginContext) throws(ConfigurationError) -> any FixSink {
        try FileSink(id: name, configuration: configuration, logger: context.logger)
    }
}

extension TextRule {
    /// The rule for the start of the files' names.
    fileprivate static let filePrefix = TextRule(
        expectation: TrackFileName.prefixExpectation, isSatisfied: TrackFileName.isValid(prefix:))
}

extension ValueRule<TrackFormat> {
    /// One of the formats that the sink writes.
    fileprivate static var fileFormat: ValueRule {
        ValueRule(.word, FileSink.Configuration.formatExpectation) { node in
            FileSink.Configuration.formats.first { $0.rawValue == node.text }
        }
    }
}

extension Field<FileSettings> {
    /// The preset. It precedes the keys that it sets defaults for.
    fileprivate static var preset: Field {
        Field(
            "preset", .word, "trace", isOptional: true,
            read: { table, settings in
                guard !table.isOff("preset"), let preset: FileSettings.Preset = table.choice("preset") else { return }
                settings.preset = preset
                switch preset {
                case .trace:
                    settings.configuration.format = .geojson
                    settings.configuration.rotation = .hour
                    settings.configuration.prefix = "trace"
                }
            },
            show: { $0.preset.map { .text($0.rawValue) } ?? .word("null") })
    }
}
