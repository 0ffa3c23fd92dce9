import TrackEngine

/// Encodes a record as the Trace app sends it to incognita's `/dump` (`POST`, no battery, no device).
///
/// Properties that are constant in Trace (speed and course accuracy, course) have their actual values. `wifi` is the
/// network's name, or `"unknown"` as in Trace. An unknown `horizontal_accuracy` is -1 or the configured
/// `assumedAccuracy`: incognita keeps accuracies up to 200.
struct TraceFeature: Sendable {
    private let precision: Timestamp.Precision
    private let unknownAccuracy: Double

    init(_ configuration: OverlandSink.Configuration) {
        precision = configuration.timestampPrecision
        unknownAccuracy = configuration.assumedAccuracy.map(Double.init) ?? -1
    }

    func write(_ record: TrackRecord, _ writer: inout JSONWriter) {
        let fix = record.fix
        writer.raw(#"{"type":"Feature","geometry":{"type":"Point","coordinates":["#)
        writer.cut(fix.coordinate.longitude, decimals: 7)
        writer.raw(",")
        writer.cut(fix.coordinate.latitude, decimals: 7)
        writer.raw(#"]},"properties":{"speed":"#)
        writer.cut(fix.speed ?? -1, decimals: 2)
        writer.raw(#","motion":["#)
        let activity = record.activity?.activity ?? .unknown
        writer.string(activity == .driving ? "automotive" : activity.name)  // unknown has a word, too
        writer.member(#"],"timestamp":"#, fix.time, precision)
        writer.raw(#","speed_accuracy":"#)
        writer.cut(fix.speedAccuracy ?? -1, decimals: 2)
        writer.raw(#","horizontal_accuracy":"#)
        writer.cut(fix.horizontalAccuracy ?? unknownAccuracy, decimals: 2)
        writer.raw(#","vertical_accuracy":"#)
        writer.cut(fix.altitude == nil ? -1 : fix.verticalAccuracy ?? -1, decimals: 2)
        writer.member(#","wifi":"#, record.host?.wifi?.ssid ?? "unknown")
        writer.raw(#","course":"#)
        writer.cut(fix.course ?? -1, decimals: 2)
        writer.raw(#","altitude":"#)
        writer.cut(fix.altitude ?? 0, decimals: 2)
        writer.raw(#","course_accuracy":"#)
        writer.cut(fix.courseAccuracy ?? -1, decimals: 2)
        writer.raw("}}")
    }
}
