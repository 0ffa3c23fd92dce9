import Foundation
import TrackEngine
import TrackEngineHTTP
import TrackEngineTestKit

/// Records and configurations for these tests; every value is chosen so that rounding and cutting show.
enum Samples {
    static let full = record(
        Fix(
            time: Timestamp(secondsSince1970: 1_772_359_200, nanoseconds: 987_654_321),
            coordinate: Coordinate(latitude: 53.550_332_19, longitude: 9.987_123_4),
            altitude: 12.5, ellipsoidalAltitude: 56, horizontalAccuracy: 4.6, verticalAccuracy: 7.5,
            speed: 3.429, speedAccuracy: 0.519, course: 359.7, courseAccuracy: 12.256, horizontalDilution: 0.8,
            satellitesUsed: 9),
        activity: .walking, host: HostStatus(batteryLevel: 0.639, batteryState: .unplugged), odometer: 18_342.678)

    static let bare = record(
        Fix(
            time: Timestamp(secondsSince1970: 1_772_359_201),
            coordinate: Coordinate(latitude: -33.868_8, longitude: -151.209_3)))

    static let invalid = record(
        Fix(
            time: Timestamp(secondsSince1970: 1_772_359_202),
            coordinate: Coordinate(latitude: .nan, longitude: 9)))

    static let nullIsland = record(
        Fix(
            time: Timestamp(secondsSince1970: 1_772_359_203),
            coordinate: Coordinate(latitude: 0, longitude: 0)))

    static func record(
        _ fix: Fix, id: RecordID = RecordID(rawValue: 0x00112233_44558677_8899aabb_ccddeeff),
        activity: Activity? = nil, host: HostStatus? = nil, odometer: Double? = nil
    ) -> TrackRecord {
        let draft = RecordDraft(
            id: id, fix: fix, isMoving: true, cause: .distance,
            activity: activity.map { ActivityEstimate($0, confidence: 67) }, source: "gps", host: host,
            odometer: odometer)
        return TrackRecord(sequence: RecordSequence(rawValue: 1), draft: draft)
    }

    static func configuration(
        _ url: String = "http://127.0.0.1:9/ok", _ change: (inout OverlandSink.Configuration) -> Void = { _ in }
    ) -> OverlandSink.Configuration {
        var configuration = OverlandSink.Configuration(url: url, deviceID: "van-7")
        change(&configuration)
        return configuration
    }

    static func body(
        _ records: [TrackRecord], current: TrackRecord? = nil,
        _ change: (inout OverlandSink.Configuration) -> Void = { _ in }
    ) -> String {
        let encoder = BodyEncoder(configuration("http://127.0.0.1:9/ok", change))
        return String(decoding: encoder.body(records, current: current), as: UTF8.self)
    }

    /// The properties of the first location, read by a parser that is not ours.
    static func properties(of body: String) throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
        let feature = (object?["locations"] as? [[String: Any]])?.first
        return feature?["properties"] as? [String: Any] ?? [:]
    }
}
