import ArgumentParser
import TrackEngine
import TrackEngineReplay

/// The recorded files that a command reads, and how.
struct RecordingOptions: ParsableArguments {
    @Argument(help: "The recorded files, or - for standard input.")
    var files: [String]

    @Option(
        help: "nmea, gpx, gpsd, geojson (or overland), calmgeo (or ndjson), csv or kml; by default found out.",
        transform: CommandArgument.replayFormat)
    var format: ReplayFormat?

    @Option(
        help: ArgumentHelp(
            "The moment after which a date counts as wrong; by default the machine's clock.", valueName: "time"),
        transform: CommandArgument.time)
    var now: Timestamp?

    @Option(
        help: ArgumentHelp(
            "The UTC day on which each file begins, for NMEA whose sentences have no date: 2026-03-01, 20260301 or 010326 (ddmmyy).",
            valueName: "day"),
        transform: CommandArgument.day)
    var date: Timestamp?

    /// How the files are to be read.
    var replayOptions: ReplayOptions { ReplayOptions(format: format, startDate: date) }

    /// The moment after which a date counts as wrong.
    var wallClock: Timestamp { now ?? .now() }
}
