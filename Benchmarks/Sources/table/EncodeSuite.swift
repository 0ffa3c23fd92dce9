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
            let altitude, speed, course, horizontal_accuracy, vertical_accuracy: Double
            let speed_accuracy, course_accuracy: Double
            let motion: [String]
            let battery_state = "unknown"
            let battery_level = -1.0
            let wifi = ""
            let device_id = "van-7"
            let record_id: String
            let satellites: Int
            let hdop: Double
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
                    altitude: (fix.altitude ?? 0).rounded(), speed: fix.speed ?? -1, course: (fix.course ?? -1).rounded(),
                    horizontal_accuracy: (fix.horizontalAccuracy ?? -1).rounded(),
                    vertical_accuracy: (fix.verticalAccuracy ?? -1).rounded(), speed_accuracy: fix.speedAccuracy ?? -1,
                    course_accuracy: fix.courseAccuracy ?? -1, motion: [], record_id: record.id.description,
                    satellites: Int(fix.satellitesUsed ?? 0), hdop: 0.9))
        }
    }
}
