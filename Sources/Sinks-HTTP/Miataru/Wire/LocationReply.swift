package import TrackEngine
import TrackEngineSettings

/// A position in the reply to `GetLocation`. Servers return each value as it was sent to them, so numbers may be
/// texts, and times may be in seconds or milliseconds.
package struct ReportedPosition: Sendable, Hashable {
    /// The position with its time and accuracy.
    package let fix: Fix
    /// The battery status, if it was reported.
    package let host: HostStatus?
    /// The time as reported. ``fix`` has the time of receipt instead if this one is in the future, because that
    /// would hide all later positions.
    package let told: Timestamp

    /// Parses the positions in a reply, by the ids in it. `null` and unreadable entries are left out.
    ///
    /// - Parameter count: the number of requested devices, each of which has an entry; `nil` for any number.
    package static func all(
        in reply: JSONValue, count: Int? = nil, now: Timestamp
    ) throws(DeliveryError) -> [String: ReportedPosition] {
        guard let entries = reply["MiataruLocation"]?.array else {
            throw DeliveryError(
                .retry(evidence: .silence), "the reply has no places, expected a list 'MiataruLocation'")
        }
        if let count, entries.count != count {
            throw DeliveryError(
                .retry(evidence: .silence), "the reply has places for \(entries.count) devices, expected \(count)")
        }
        var places: [String: ReportedPosition] = [:]
        for entry in entries {
            guard let id = entry["Device"]?.string, let place = ReportedPosition(entry, now: now) else { continue }
            places[id] = place
        }
        return places
    }

    /// Parses a position; `nil` without a valid position and time.
    init?(_ entry: JSONValue, now: Timestamp) {
        guard let latitude = entry.miataruNumber("Latitude"), let longitude = entry.miataruNumber("Longitude"),
            let time = entry.miataruNumber("Timestamp"), time >= 1, time < 1e15
        else { return nil }
        let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        // Apps read values from 1e10 on as milliseconds.
        let seconds = time >= 1e10 ? time / 1000 : time
        let moment = Timestamp(nanosecondsSince1970: Int64(seconds * 1000) * 1_000_000)
        guard coordinate.isUsable, moment < now.advanced(by: Self.furthestAhead) else {
            return nil
        }
        told = moment
        fix = Fix(
            time: min(moment, now), coordinate: coordinate, altitude: entry.miataruKnown("Altitude"),
            horizontalAccuracy: entry.miataruKnown("HorizontalAccuracy").flatMap { $0 >= 0 ? $0 : nil },
            speed: entry.miataruKnown("Speed").flatMap { $0 >= 0 ? $0 : nil })
        let level = entry.miataruKnown("BatteryLevel").flatMap { (0...100).contains($0) ? $0 / 100 : nil }
        host = level.map { HostStatus(batteryLevel: $0, batteryState: .unknown) }
    }

    /// The most that a sender's clock may be ahead of this machine's.
    private static let furthestAhead = Duration.seconds(86_400)
}

extension JSONValue {
    /// A number, or a text that contains one.
    fileprivate func miataruNumber(_ name: String) -> Double? {
        switch self[name] {
        case .number(let number): number
        case .string(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
        default: nil
        }
    }

    /// A number, or a text that contains one; `nil` for -1, which means unknown.
    fileprivate func miataruKnown(_ name: String) -> Double? {
        miataruNumber(name).flatMap { $0 == -1 ? nil : $0 }
    }
}
