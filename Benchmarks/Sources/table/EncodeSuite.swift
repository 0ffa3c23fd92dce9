import CoreWorkloads
import Foundation
import Measure
import TrackEngine
import TrackEngineHTTP

/// Bodies of requests, a batch of 200 records each.
enum EncodeSuite {
    static func rows() async throws -> [Row] {
        let records = SampleRecords.make(200)
        let configuration = OverlandSink.Configuration(id: "bench", url: "https://example.org/", deviceID: "van-7")
        var other = configuration
        other.profile = .calmgeo
        let (overland, calmGeo) = (try OverlandSink(configuration), try OverlandSink(other))
        let timings = try await race(
            rounds: 9,
            [
                encoding(records, overland), encoding(records, calmGeo),
                encodingWithFoundation(records),
            ])
        await overland.close()
        await calmGeo.close()
        let foundation = (name: "Foundation JSONEncoder", nanoseconds: timings[2].best)
        return [
            Row("Encode", "Overland, a record", timings[0].best, beside: foundation, target: .faster(20)),
            Row("Encode", "CalmGeo, a record", timings[1].best, beside: foundation),
        ]
    }

    private static func encoding(_ records: [TrackRecord], _ sink: OverlandSink) -> Contender {
        let batch = RecordBatch(records: records)
        return Contender(units: records.count * 50) { for _ in 0..<50 { keep(sink.body(for: batch)) } }
    }

    private static func encodingWithFoundation(_ records: [TrackRecord]) -> Contender {
        let batch = FoundationBatch(records)
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        return Contender(units: records.count * 5) { for _ in 0..<5 { keep(try encoder.encode(batch)) } }
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
