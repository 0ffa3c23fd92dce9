import ArgumentParser
import TrackEngine
import TrackEngineFiles

/// The recorded files that a command reads, and the options for reading them.
struct RecordingOptions: ParsableArguments {
    @Argument(help: "The recorded files, or - for standard input.")
    var files: [String]

    @Option(
        help: "nmea, gpx, gpsd, geojson (or overland), calmgeo (or ndjson), csv, kml or tcx; by default found out.",
        transform: CommandArgument.replayFormat)
    var format: ReplayFormat?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The zone of times without one: UTC, an offset such as +01:00, or a name such as Europe/Berlin.",
            valueName: "zone"),
        transform: CommandArgument.timeZone)
    var timeZone = ZoneOffsetTable.utc

    @Option(
        help: ArgumentHelp(
            "The moment after which a date counts as wrong; by default the machine's clock.", valueName: "time"),
        transform: CommandArgument.time)
    var now: Timestamp?

    @Option(
        help: ArgumentHelp(
            "The UTC day on which each file begins, for NMEA sentences without a date: 2026-03-01, 20260301 or 010326 (ddmmyy).",
            valueName: "day"),
        transform: CommandArgument.day)
    var date: Timestamp?

    /// The options for reading the files.
    var replayOptions: ReplayOptions { ReplayOptions(format: format, startDate: date, zone: timeZone, now: now) }

    /// The moment after which a date counts as wrong.
    var wallClock: Timestamp { now ?? .now() }
}
