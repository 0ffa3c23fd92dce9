import CoreWorkloads
import Foundation
import Measure
import TrackEngine
import TrackEngineHTTP
import TrackEngineMQTT

/// Bodies of requests, a batch of 200 records each.
public enum EncodeSuite {
    /// Each format in turns, beside Foundation.
    public static func rows() async throws -> [Row] {
        let records = SampleRecords.make(200)
        let configuration = OverlandSink.Configuration(url: "https://example.org/", deviceID: "van-7")
        var other = configuration
        other.profile = .calmgeo
        let (overland, calmGeo) = (
            try OverlandSink(configuration: configuration), try OverlandSink(configuration: other)
        )
        let messages = try formats.map { encoding(records, try sink($0)) }
        let timings = try await race(
            rounds: 9,
            [
                encodingWithFoundation(FoundationBatch(records), records.count),
                encodingWithFoundation(FoundationMessage(records[0]), 1),
                encoding(records, overland), encoding(records, calmGeo),
            ] + messages)
        await overland.close()
        await calmGeo.close()
        let foundation = (name: "Foundation JSONEncoder", nanoseconds: timings[0].best)
        let single = (name: "Foundation JSONEncoder, trackengine", nanoseconds: timings[1].best)
        return [
            Row("Encode", "Overland, a record", timings[2].best, beside: foundation, target: .faster(20)),
            Row("Encode", "CalmGeo, a record", timings[3].best, beside: foundation),
        ]
            + zip(formats, timings[4...]).map { format, timing in
                Row("Encode", "MQTT \(format), a record", timing.best, beside: single)
            }
    }

    private static let formats = [RecordFormat.trackengine, .batch, .owntracks, .homeassistant]

    private static func sink(_ format: RecordFormat) throws -> MQTTSink {
        var configuration = MQTTSink.Configuration(host: "example.org", deviceID: "van-7")
        configuration.messages.format = format
        return try MQTTSink(configuration: configuration)
    }

    /// Whole messages: topic, payload and properties.
    private static func encoding(_ records: [TrackRecord], _ sink: MQTTSink) -> Contender {
        let batch = RecordBatch(records: records)
        return Contender(units: records.count * 50) { for _ in 0..<50 { keep(sink.messages(for: batch)) } }
    }

    private static func encoding(_ records: [TrackRecord], _ sink: OverlandSink) -> Contender {
        let batch = RecordBatch(records: records)
        return Contender(units: records.count * 50) { for _ in 0..<50 { keep(sink.body(for: batch)) } }
    }

    private static func encodingWithFoundation(_ value: some Encodable, _ records: Int) -> Contender {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        return Contender(units: 1000) { for _ in 0..<1000 / records { keep(try encoder.encode(value)) } }
    }
}

/// The body as a model for Foundation, made once: only the encoding is measured.
private struct FoundationBatch: Encodable {
    struct Feature: Encodable {
        struct Geometry: Encodable {
            let type = "Point"
            let coordinates: [Double]
        }
        struct Properties: Encodable {
            let timestamp: Date
            let altitude, speed, course, horizontalAccuracy, verticalAccuracy: Double
            let speedAccuracy, courseAccuracy: Double
            let motion: [String]
            let batteryState = "unknown"
            let batteryLevel = -1.0
            let wifi = ""
            let deviceID = "van-7"
            let recordID: String
            let satellites: Int
            let hdop: Double

            enum CodingKeys: String, CodingKey {
                case timestamp, altitude, speed, course, motion, wifi, satellites, hdop
                case horizontalAccuracy = "horizontal_accuracy"
                case verticalAccuracy = "vertical_accuracy"
                case speedAccuracy = "speed_accuracy"
                case courseAccuracy = "course_accuracy"
                case batteryState = "battery_state"
                case batteryLevel = "battery_level"
                case deviceID = "device_id"
                case recordID = "record_id"
            }
        }
        let type = "Feature"
        let geometry: Geometry
        let properties: Properties
    }
    let locations: [Feature]

    init(_ records: [TrackRecord]) {
        locations = records.map { record in
            let fix = record.fix
            return Feature(
                geometry: .init(coordinates: [fix.coordinate.longitude, fix.coordinate.latitude]),
                properties: .init(
                    timestamp: Date(timeIntervalSince1970: Double(fix.time.secondsSince1970)),
                    altitude: (fix.altitude ?? 0).rounded(), speed: fix.speed ?? -1,
                    course: (fix.course ?? -1).rounded(),
                    horizontalAccuracy: (fix.horizontalAccuracy ?? -1).rounded(),
                    verticalAccuracy: (fix.verticalAccuracy ?? -1).rounded(), speedAccuracy: fix.speedAccuracy ?? -1,
                    courseAccuracy: fix.courseAccuracy ?? -1, motion: [], recordID: record.id.description,
                    satellites: Int(fix.satellitesUsed ?? 0), hdop: 0.9))
        }
    }
}

/// A record of the format `trackengine`, in the same way.
private struct FoundationMessage: Encodable {
    let schema = "trackengine.record/1"
    let device = "van-7"
    let id: String
    let sequence: Int64
    let source = "bench"
    let time: Date
    let latitude, longitude, altitude, ellipsoidalAltitude, horizontalAccuracy, verticalAccuracy: Double
    let speed, speedAccuracy, course, courseAccuracy, hdop, pdop: Double
    let satellitesUsed, satellitesVisible: Int
    let mode = "3d"
    let status = "normal"
    let isMoving = true
    let cause = "distance"

    init(_ record: TrackRecord) {
        let fix = record.fix
        id = record.id.description
        sequence = record.sequence.rawValue
        time = Date(timeIntervalSince1970: Double(fix.time.secondsSince1970))
        (latitude, longitude) = (fix.coordinate.latitude, fix.coordinate.longitude)
        (altitude, ellipsoidalAltitude) = (fix.altitude ?? 0, fix.ellipsoidalAltitude ?? 0)
        (horizontalAccuracy, verticalAccuracy) = (fix.horizontalAccuracy ?? 0, fix.verticalAccuracy ?? 0)
        (speed, speedAccuracy) = (fix.speed ?? 0, fix.speedAccuracy ?? 0)
        (course, courseAccuracy) = (fix.course ?? 0, fix.courseAccuracy ?? 0)
        (hdop, pdop) = (0.9, 1.4)
        (satellitesUsed, satellitesVisible) = (Int(fix.satellitesUsed ?? 0), Int(fix.satellitesVisible ?? 0))
    }
}
