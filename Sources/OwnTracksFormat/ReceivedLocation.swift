package import TrackEngine

/// The values of a location message of another device, in the engine's units, before any check.
package struct ReceivedLocation: Sendable, Hashable {
    /// Whether the message names a time, readable or not.
    package private(set) var hasTime = false
    /// The time in seconds since 1970: of the fix, or if the message does not name it, of the message.
    package private(set) var seconds: Double?
    /// Degrees.
    package private(set) var latitude: Double?
    /// Degrees.
    package private(set) var longitude: Double?
    /// Metres.
    package private(set) var horizontalAccuracy: Double?
    /// Metres.
    package private(set) var verticalAccuracy: Double?
    /// Metres above mean sea level.
    package private(set) var altitude: Double?
    /// Metres per second.
    package private(set) var speed: Double?
    /// Degrees.
    package private(set) var course: Double?
    /// 0 to 1.
    package private(set) var batteryLevel: Double?
    package private(set) var batteryState: HostStatus.BatteryState?
    /// `user/device` of the topic.
    package private(set) var device: String?

    /// Parses the members of a message.
    ///
    /// - Parameter number: parses a number; some senders write numbers as texts.
    package init(_ message: JSONValue, number: (JSONValue) -> Double? = { $0.number }) {
        var bearing: Double?
        var names = OwnTracksMembers()
        var (ofFix, ofMessage): (JSONValue?, JSONValue?)
        for member in message.members ?? [] {
            let value = member.value
            names.note(Array(member.name.utf8).span)
            switch member.name {
            case "tst": ofFix = value
            case "created_at": ofMessage = value
            case "lat": latitude = number(value)
            case "lon": longitude = number(value)
            case "acc": horizontalAccuracy = number(value)
            case "vac": verticalAccuracy = number(value)
            case "alt": altitude = number(value)
            case "vel": speed = number(value)
            case "cog": course = number(value)
            case "bear": bearing = number(value)
            case "batt": batteryLevel = number(value).map { $0 / 100 }
            case "bs": batteryState = number(value).flatMap(HostStatus.BatteryState.init(ownTracks:))
            case "topic": device = value.string.flatMap(Self.device(ofTopic:))
            default: break
            }
        }
        let time = ofFix == .null ? ofMessage ?? ofFix : ofFix ?? ofMessage
        hasTime = time != nil
        seconds = time.flatMap(number)
        course = course ?? bearing
        if !names.isOfColota { speed = speed.map { $0 / 3.6 } }
    }

    /// `user/device` of `owntracks/user/device`; Overland's mode writes `owntracks/device`.
    package static func device(ofTopic topic: String) -> String? {
        let levels = topic.split(separator: "/")
        let own = levels.first == "owntracks" ? levels.dropFirst() : levels[...]
        return own.isEmpty ? nil : own.suffix(2).joined(separator: "/")
    }

    /// The fix; `nil` for a message without a usable position or time.
    package var fix: Fix? {
        guard let latitude, let longitude, let seconds, Self.times.contains(seconds) else { return nil }
        let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        guard coordinate.isUsable else { return nil }
        return Fix(
            time: Timestamp(secondsSince1970: Int64(seconds)), coordinate: coordinate,
            altitude: altitude.flatMap { abs($0) < 1_000_000 ? $0 : nil },
            horizontalAccuracy: horizontalAccuracy, verticalAccuracy: verticalAccuracy,
            speed: speed.flatMap { $0 < 100_000 ? $0 : nil }, course: course?.knownCourse)
    }

    /// Plausible times: up to the year 2200.
    private static let times = 1..<7_258_118_400.0

    /// The battery status; `nil` if the message has none.
    package var host: HostStatus? {
        let status = HostStatus(batteryLevel: batteryLevel, batteryState: batteryState ?? .unknown)
        return status.batteryLevel == nil && status.batteryState == .unknown ? nil : status
    }
}
