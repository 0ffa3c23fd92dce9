import TrackEngine
import TrackEngineSettings

/// Encodes a record as the parameters of Traccar's OsmAnd protocol.
///
/// `id`, `timestamp`, `lat` and `lon` are always present. The others are present if known: `altitude` (metres above
/// mean sea level), `speed` (knots), `bearing` (degrees), `accuracy` (metres), `hdop`, `sat`, `batt` (per cent),
/// `charge`, `motion`, `odometer` (metres), `mock` for a simulated fix, and for a transition at a place `event` and
/// `place`, which Traccar stores as attributes.
struct OsmAndQuery: Sendable {
    /// `id=…`, the same in every request.
    private let device: [UInt8]

    /// The smallest number that Traccar reads as milliseconds since 1970; it reads smaller numbers as seconds.
    private static let firstMilliseconds: Int64 = 1 << 31 - 1

    init(of device: DeviceID) {
        self.device = Array("id=\(PercentEncoding.encoded(device.rawValue))".utf8)
    }

    /// The parameters, `name=value&…`.
    func text(of record: TrackRecord) -> String {
        let fix = record.fix
        var query = QueryWriter(bytes: device)
        query.integer("timestamp", Self.timestamp(fix.time))
        query.number("lat", fix.coordinate.latitude, decimals: 7)
        query.number("lon", fix.coordinate.longitude, decimals: 7)
        query.number("altitude", fix.altitude, decimals: 1)
        query.number("speed", fix.speed.map { $0 / Knot.metresPerSecond }, decimals: 3)
        query.number("bearing", fix.courseInTenths, decimals: 1)
        query.number("accuracy", fix.horizontalAccuracy, decimals: 1)
        query.number("hdop", fix.horizontalDilution.map { Double($0) }, decimals: 2)
        query.integer("sat", fix.satellitesUsed.map { Int64($0) })
        query.number("batt", record.host?.batteryLevel.map { $0 * 100 }, decimals: 0)
        query.boolean("charge", record.host?.batteryState.hasPower)
        query.boolean("motion", record.isMoving)
        query.number("odometer", record.odometer, decimals: 1)
        query.boolean("mock", fix.flags.contains(.simulated) ? true : nil)
        if case .transition(let transition) = record.content {
            query.text("event", transition.event.traccarName)
            query.text("place", transition.place.name)
        }
        return String(decoding: query.bytes, as: UTF8.self)
    }

    private static func timestamp(_ time: Timestamp) -> Int64 {
        let seconds = time.secondsSince1970
        return seconds < firstMilliseconds ? seconds : seconds * 1000
    }
}

/// Appends parameters with known values.
private struct QueryWriter {
    private(set) var bytes: [UInt8]

    mutating func number(_ name: StaticString, _ value: Double?, decimals: Int) {
        guard let value else { return }
        begin(name)
        bytes.appendFixed(value, decimals: decimals)
    }

    mutating func integer(_ name: StaticString, _ value: Int64?) {
        guard let value else { return }
        begin(name)
        bytes.appendInteger(value)
    }

    mutating func boolean(_ name: StaticString, _ value: Bool?) {
        guard let value else { return }
        begin(name)
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
    }

    mutating func text(_ name: StaticString, _ value: String) {
        begin(name)
        bytes.append(contentsOf: PercentEncoding.encoded(value).utf8)
    }

    private mutating func begin(_ name: StaticString) {
        bytes.append(UInt8(ascii: "&"))
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "="))
    }
}
