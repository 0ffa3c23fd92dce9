import TrackEngine

/// Writes the body of an `UpdateLocation` request. Unknown values are omitted: servers may reject -1, and store
/// `null`.
struct UpdateLocation: Sendable {
    private let config: [UInt8]

    /// The accuracy for a fix of unknown accuracy, in metres. The server requires a value, and a small one would
    /// claim too much.
    static let assumedAccuracy = 100.0

    init(_ configuration: MiataruSink.Configuration) {
        var writer = JSONWriter()
        writer.member(#"{"MiataruConfig":{"EnableLocationHistory":"#, "\(configuration.history)")
        writer.raw(#","LocationDataRetentionTime":""#)
        writer.integer(configuration.retention)
        writer.raw(#""},"MiataruLocation":"#)
        config = writer.bytes
    }

    /// The body for positions of one device, oldest first: the last one becomes its newest.
    func body(_ records: [TrackRecord], of identity: MiataruIdentity) -> [UInt8] {
        var writer = JSONWriter(capacity: config.count + 256 * records.count)
        writer.raw(config)
        writer.array(records) { write($1, identity, to: &$0) }
        writer.raw("}")
        return writer.bytes
    }

    private func write(_ record: TrackRecord, _ identity: MiataruIdentity, to writer: inout JSONWriter) {
        let fix = record.fix
        writer.member(#"{"Device":"#, identity.deviceID.revealed)
        writer.member(#","DeviceKey":"#, identity.deviceKey?.revealed)
        writer.raw(#","Timestamp":""#)
        writer.integer(fix.time.secondsSince1970)
        writer.member(#"","Longitude":"#, fix.coordinate.longitude, decimals: 7)
        writer.member(#","Latitude":"#, fix.coordinate.latitude, decimals: 7)
        let accuracy = min(max(fix.horizontalAccuracy ?? Self.assumedAccuracy, 0), 10_000)
        writer.member(#","HorizontalAccuracy":"#, accuracy, decimals: 1)
        if let speed = fix.speed, (0...1000).contains(speed) {
            writer.member(#","Speed":"#, speed, decimals: 2)
        }
        if let level = record.host?.batteryLevel, (0...1).contains(level) {
            writer.member(#","BatteryLevel":"#, Int((level * 100).rounded()))
        }
        if let altitude = fix.altitude, (-1000...100_000).contains(altitude) {
            writer.raw(#","Altitude":"#)
            // Servers read -1 as "unknown".
            writer.number((altitude * 10).rounded() == -10 ? -1.1 : altitude, decimals: 1)
        }
        writer.raw("}")
    }
}

extension TrackRecord {
    /// The reason why no server accepts the record; `nil` if servers accept it.
    var problemForMiataru: String? {
        guard hasPosition else { return Self.lackOfPosition }
        return fix.time.secondsSince1970 >= 1 ? nil : "the record's time is before 1970"
    }
}
