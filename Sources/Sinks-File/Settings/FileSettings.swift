package import TrackEngine
package import TrackEngineFormats
public import TrackEngineSettings

extension FileSink {
    /// `type: file`: files in a directory.
    public static let plugin = SinkPlugin(FileSettings.self)
}

/// `{type: file, directory: /var/lib/trackd/tracks}`: files in a directory.
package struct FileSettings: SinkSettings {
    package static let type = "file"
    package static let summary = "Files in a directory, a new one each hour, day or trip, or by size."

    /// The directory of the files. Required.
    package var directory = ""
    /// A preset with defaults for the keys below; keys that are set take precedence.
    package var preset: Preset?
    /// The files' format. Default gpx.
    package var format = TrackFormat.gpx
    /// The span of each file. Default day.
    package var rotation = FileSink.Rotation.day
    /// The most bytes in a file before compression. Default: no limit.
    package var fileSize: Int64?
    /// Compresses finished files. Default false.
    package var gzip = false
    /// The number of days for which finished files are kept, 0 for forever. Default 0.
    package var keepDays = 0
    /// The most bytes of all files together, 0 for any number. Default 0.
    package var maxBytes: Int64 = 0
    /// The start of the files' names. Default track.
    package var prefix = "track"

    package init() {}

    /// Named sets of defaults.
    package enum Preset: String, Sendable, Hashable, CaseIterable {
        /// Trace's files: GeoJSON with Overland's properties, one an hour, `trace_…`.
        case trace
    }

    package static let fields: [Field<Self>] = [
        .text("directory", \.directory, .absolutePath).required()
            .meaning("The directory of the files; it is made if it is not there, and no other sink may write there."),
        .preset.meaning("Defaults under a name: trace makes Trace's hourly GeoJSON; keys after it change single ones."),
        .value("format", \.format, .fileFormat, show: { .text($0.rawValue) }).meaning("The files' format."),
        .choice("rotation", \.rotation)
            .meaning("When a new file begins: by the time of the records in UTC, with a new trip, or by size alone."),
        .bytes("fileSize", \.fileSize, FileSink.Configuration.fileSizes)
            .meaning("A file that would grow beyond this, before compression, is finished; null for no limit."),
        .flag("gzip", \.gzip).meaning("Compresses finished files."),
        .integer("keepDays", \.keepDays, FileSink.Configuration.days, "days")
            .meaning("How long finished files stay; 0 for ever."),
        .bytes("maxBytes", \.maxBytes, FileSink.Configuration.totals)
            .meaning("How much all files may take; the oldest finished ones go first; 0 for no limit."),
        .text("prefix", \.prefix, .filePrefix).meaning("The beginning of the names of the files."),
    ]

    /// The claim on the directory: two sinks would write into each other's files.
    package var claim: SinkClaim? {
        SinkClaim(
            directory: directory, key: "directory", expectation: "a directory of its own: another sink writes there")
    }

    package var cautionAboutSeveralSources: String? {
        let better = "csv, ndjson and geojson name the source of each record"
        return switch format {
        case .nmea: "format = nmea: several sources become one object that jumps between them; \(better)"
        case .gpx, .kml: "format = \(format.rawValue): a new track begins at each change of the source; \(better)"
        case .geojson, .csv, .ndjson: nil
        }
    }

    package mutating func check(_ table: inout TableDecoder) {
        for problem in configuration.problems {
            // A value that was missing or refused while parsing is empty here, and was reported already.
            let isReported = problem.key == "directory" && directory.isEmpty
            let wasRefused = problem.key == "fileSize" && fileSize == nil && table.node("fileSize") != nil
            if !isReported, !wasRefused { table.reject(problem.key, problem.value, problem.expectation) }
        }
    }

    package func makeSink(named name: SinkID, _ context: PluginContext) throws(ConfigurationError) -> any FixSink {
        try FileSink(id: name, configuration: configuration, logger: context.logger)
    }

    private var configuration: FileSink.Configuration {
        var configuration = FileSink.Configuration(directory: directory)
        configuration.format = format
        configuration.rotation = rotation
        configuration.fileSize = fileSize
        configuration.gzip = gzip
        configuration.keepDays = keepDays
        configuration.maxBytes = maxBytes
        configuration.prefix = prefix
        return configuration
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
                    settings.format = .geojson
                    settings.rotation = .hour
                    settings.prefix = "trace"
                }
            },
            show: { $0.preset.map { .text($0.rawValue) } ?? .word("null") })
    }
}

extension FileSettings {
    package var readers: String? { "everyone with access to \(directory)" }
}
