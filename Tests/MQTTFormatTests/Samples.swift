import Foundation
import Testing
import TrackEngine
import TrackEngineMQTT
import TrackEngineTestKit

/// Records whose values make rounding, signs and absences show, and the messages that come of them.
enum Samples {
    /// Everything is known, and rounds: 3.429 m/s is 12.34 km/h, a course of 359.7 is 0.
    static let full = record(
        1,
        Fix(
            time: time(0, nanoseconds: 987_654_321),
            coordinate: Coordinate(latitude: 53.550_332_198, longitude: 9.987_123_4),
            altitude: 12.5, ellipsoidalAltitude: 56.0004, horizontalAccuracy: 4.6, verticalAccuracy: 7.5,
            speed: 3.429, speedAccuracy: 0.519, course: 359.7, courseAccuracy: 12.256, horizontalDilution: 0.8,
            positionDilution: 1.25, satellitesUsed: 9, satellitesVisible: 14, mode: .threeDimensional,
            status: .rtkFloat, flags: [.simulated, .weekRolloverCorrected]),
        cause: .elapsed, activity: .walking, host: HostStatus(batteryLevel: 0.635, batteryState: .unplugged),
        odometer: 18_342.678_9)

    /// A place and a time, nothing else; so is the accuracy unknown.
    static let minimal = record(
        2, Fix(time: time(1), coordinate: Coordinate(latitude: 53.5, longitude: 10)), cause: .first)

    /// South and west, below the sea, with an accuracy that claims perfection.
    static let southWest = record(
        3,
        Fix(
            time: time(2), coordinate: Coordinate(latitude: -33.868_8, longitude: -151.209_3), altitude: -3.5,
            horizontalAccuracy: 0, speed: 0, course: 0),
        isMoving: false, activity: .unknown)

    /// A battery that charges, while the accuracy is unknown.
    static let charging = record(
        4, Fix(time: time(3), coordinate: Coordinate(latitude: 53.5, longitude: 10), ellipsoidalAltitude: 50),
        cause: .requested, host: HostStatus(batteryLevel: 1, batteryState: .charging))

    /// The tracked object came to rest; another source; no battery to be found.
    static let rest = record(
        5, Fix(time: time(4), coordinate: Coordinate(latitude: 0, longitude: -0.000_000_04), horizontalAccuracy: 3.2),
        isMoving: false, event: .motionChange, cause: .still, activity: .stationary, source: "gps 2/α+",
        host: HostStatus(batteryLevel: nil, batteryState: .unknown))

    static let all = [full, minimal, southWest, charging, rest]

    /// Values at the ends of what the types hold.
    static let extreme = record(
        6,
        Fix(
            time: Timestamp(nanosecondsSince1970: .min), coordinate: Coordinate(latitude: -90, longitude: 180),
            altitude: 1e300, horizontalAccuracy: .greatestFiniteMagnitude, verticalAccuracy: 1e18,
            speed: .leastNonzeroMagnitude, course: 359.999_999_9))

    /// A place that is none; the pipeline lets no such fix through, but a store may be older than the pipeline.
    static let nowhere = record(7, Fix(time: time(6), coordinate: Coordinate(latitude: .nan, longitude: 400)))

    private static func time(_ seconds: Int64, nanoseconds: Int64 = 0) -> Timestamp {
        Timestamp(secondsSince1970: 1_772_359_200 + seconds, nanoseconds: nanoseconds)  // 2026-03-01T10:00:00Z
    }

    static func record(
        _ number: Int64, _ fix: Fix, isMoving: Bool = true, event: RecordEvent? = nil, cause: RecordCause = .distance,
        activity: Activity? = nil, source: SourceID = "gpsd", host: HostStatus? = nil,
        odometer: Double? = nil
    ) -> TrackRecord {
        let draft = RecordDraft(
            id: RecordID(rawValue: 0x00112233_44558677_8899aabb_ccddee00 + UInt128(number)), fix: fix,
            isMoving: isMoving, event: event, cause: cause,
            activity: activity.map { ActivityEstimate($0, confidence: 67) }, source: source, host: host,
            odometer: odometer)
        return TrackRecord(sequence: RecordSequence(rawValue: number), draft: draft)
    }

    static func options(
        _ format: RecordFormat, _ change: (inout MessageOptions) -> Void = { _ in }
    ) -> MessageOptions {
        var options = MessageOptions(format: format, base: "fleet", deviceID: "van_7", user: "jane")
        change(&options)
        return options
    }

    static func format(
        _ format: RecordFormat, _ change: (inout MessageOptions) -> Void = { _ in }
    ) throws -> any MessageFormat {
        try options(format, change).makeFormat()
    }
}

extension RecordMessage {
    /// The payload as a parser that is not ours reads it.
    func object() throws -> [String: Any] { try message.object() }
}

extension MQTTMessage {
    /// The payload as a parser that is not ours reads it.
    func object() throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any])
    }

    var text: String { String(decoding: payload, as: UTF8.self) }
}
