import TrackEngine

/// Encodes a record as the Overland app encodes a location, in the form that every known receiver accepts.
///
/// All properties are always present. As in the app, unknown numbers are -1, unknown lists and texts are empty:
/// - `altitude` has no value for unknown: it is 0, with `vertical_accuracy` -1.
/// - `horizontal_accuracy` is never left out (Reitti drops such records). An unknown one is never 0, which would
///   claim perfect accuracy: it is -1, or ``OverlandSink/Configuration/assumedAccuracy``. A known one is at least 1,
///   for the same reason.
/// - Whole numbers are rounded; decimals are truncated, as in the app (see ``JSONWriter/cut(_:decimals:)``).
///
/// `record_id`, `satellites`, `hdop` and `odometer` (metres) are extensions. Other receivers ignore them; the
/// TrackEngine server detects duplicates by `record_id`.
struct OverlandFeature: Sendable {
    private let precision: Timestamp.Precision
    private let speedDecimals: Int
    private let unknownBattery: OverlandSink.Configuration.UnknownBattery
    private let unknownAccuracy: Double
    /// Whether positions of a trip contain its id.
    private let namesTrips: Bool
    /// `,"device_id":"…"`, the same in every feature.
    private let constants: [UInt8]
    /// Overland's tracking stats, the same in every location; empty if they are off.
    private let statistics: [UInt8]

    init(_ configuration: OverlandSink.Configuration) {
        precision = configuration.timestampPrecision
        speedDecimals = configuration.integerSpeed ? 0 : 2
        unknownBattery = configuration.unknownBattery
        unknownAccuracy = configuration.assumedAccuracy.map(Double.init) ?? -1
        namesTrips = configuration.events.contains(.trip)
        var writer = JSONWriter()
        writer.member(#","device_id":"#, configuration.deviceID.rawValue)
        if configuration.uniqueID {
            writer.member(#","unique_id":"#, UniqueID.of(configuration.deviceID))
        }
        constants = writer.bytes
        statistics = configuration.trackingStatistics ? Self.statistics(configuration.desiredAccuracy) : []
    }

    private static func statistics(_ accuracy: DesiredAccuracy) -> [UInt8] {
        var writer = JSONWriter()
        writer.member(#","pauses":false,"activity":"other","desired_accuracy":"#, Int64(accuracy.rawValue))
        writer.raw(#","tracking_mode":1,"locations_in_payload":1"#)
        return writer.bytes
    }

    /// Writes a position of the batch, with the trip's start as `trip_id` during a trip.
    func write(_ record: TrackRecord, _ writer: inout JSONWriter) {
        write(record, trip: namesTrips ? record.context?.trip : nil, &writer)
    }

    /// Writes a position outside the batch, without a `trip_id`.
    func writeAlone(_ record: TrackRecord, _ writer: inout JSONWriter) { write(record, trip: nil, &writer) }

    private func write(_ record: TrackRecord, trip: CurrentTrip?, _ writer: inout JSONWriter) {
        let fix = record.fix
        writer.raw(#"{"type":"Feature","geometry":{"type":"Point","coordinates":["#)
        writer.cut(fix.coordinate.longitude, decimals: 7)
        writer.raw(",")
        writer.cut(fix.coordinate.latitude, decimals: 7)
        writer.member(#"]},"properties":{"timestamp":"#, fix.time, precision)
        writeMovement(of: fix, to: &writer)
        writeAccuracies(of: fix, to: &writer)
        writer.raw(#","motion":["#)
        if let activity = record.activity?.activity, activity != .unknown { writer.string(activity.name) }
        writer.raw("]")
        writeMetadata(of: record, &writer)
        writer.member(#","trip_id":"#, trip?.start.time, precision)
        writeSolution(of: fix, to: &writer)
        writer.member(#","odometer":"#, record.odometer, decimals: 1)
        if !statistics.isEmpty { writer.raw(statistics) }
        writer.raw("}}")
    }

    /// Writes the properties of the device that every feature has: battery, network, name, and the record's id.
    func writeMetadata(of record: TrackRecord, _ writer: inout JSONWriter) {
        writeBattery(record.host, to: &writer)
        writer.member(#","wifi":"#, record.host?.wifi?.ssid ?? "")
        writer.raw(constants)
        writer.raw(#","record_id":"#)
        writer.recordID(record.id)
    }

    private func writeMovement(of fix: Fix, to writer: inout JSONWriter) {
        writer.raw(#","altitude":"#)
        writer.rounded(fix.altitude ?? 0)
        writer.raw(#","speed":"#)
        if speedDecimals == 0 {
            writer.rounded(fix.speed ?? -1)
        } else {
            writer.cut(fix.speed ?? -1, decimals: speedDecimals)
        }
        writer.raw(#","course":"#)
        writer.rounded(fix.course.map { $0 < 359.5 ? $0 : 0 } ?? -1)
    }

    private func writeAccuracies(of fix: Fix, to writer: inout JSONWriter) {
        writer.raw(#","horizontal_accuracy":"#)
        writer.rounded(fix.horizontalAccuracy.map { max($0, 1) } ?? unknownAccuracy)
        writer.raw(#","vertical_accuracy":"#)
        writer.rounded(fix.altitude == nil ? -1 : fix.verticalAccuracy ?? -1)
        writer.raw(#","speed_accuracy":"#)
        writer.cut(fix.speedAccuracy ?? -1, decimals: 2)
        writer.raw(#","course_accuracy":"#)
        writer.cut(fix.courseAccuracy ?? -1, decimals: 2)
    }

    private func writeBattery(_ host: HostStatus?, to writer: inout JSONWriter) {
        if host?.batteryLevel == nil {
            switch unknownBattery {
            case .unknown: break
            case .omitted: return
            case .mains: return writer.raw(#","battery_state":"full","battery_level":1"#)
            }
        }
        writer.member(#","battery_state":"#, (host?.batteryState ?? .unknown).name)
        writer.raw(#","battery_level":"#)
        writer.cut(host?.batteryLevel ?? -1, decimals: 2)
    }

    private func writeSolution(of fix: Fix, to writer: inout JSONWriter) {
        if let satellites = fix.satellitesUsed {
            writer.raw(#","satellites":"#)
            writer.rounded(Double(satellites))
        }
        writer.member(#","hdop":"#, fix.horizontalDilution.map(Double.init), decimals: 2)
    }
}
