package import TrackEngine
import TrackEngineSettings

/// A place in the reply to `GetLocation`. Servers return each value as it was sent to them, so numbers may be texts, and times
/// seconds or milliseconds.
package struct ReportedPlace: Sendable, Hashable {
    /// Where, when and how exactly.
    package let fix: Fix
    /// The battery, where it is told.
    package let host: HostStatus?
    /// When, as it was told. A time ahead of ours is one of the receipt for ``fix``, or it would hide all that follow.
    package let told: Timestamp

    /// Reads the places that a reply has, by the ids in it. `null` and what cannot be read is left out.
    ///
    /// - Parameter count: how many devices were asked for, of which each has an entry; `nil` for any number.
    package static func all(
        in reply: JSONValue, count: Int? = nil, now: Timestamp
    ) throws(DeliveryError) -> [String: ReportedPlace] {
        guard let entries = reply["MiataruLocation"]?.array else {
            throw DeliveryError(.retryUnanswered(), "the reply has no places, expected a list 'MiataruLocation'")
        }
        if let count, entries.count != count {
            throw DeliveryError(
                .retryUnanswered(), "the reply has places for \(entries.count) devices, expected \(count)")
        }
        var places: [String: ReportedPlace] = [:]
        for entry in entries {
            guard let id = entry["Device"]?.string, let place = ReportedPlace(entry, now: now) else { continue }
            places[id] = place
        }
        return places
    }

    /// Reads a place; `nil` without a position and a time that can be.
    init?(_ entry: JSONValue, now: Timestamp) {
        guard let latitude = entry.miataruNumber("Latitude"), let longitude = entry.miataruNumber("Longitude"),
            let time = entry.miataruNumber("Timestamp"), time >= 1, time < 1e15
        else { return nil }
        let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        // Apps read what is from 1e10 on as milliseconds.
        let seconds = time >= 1e10 ? time / 1000 : time
        let moment = Timestamp(nanosecondsSince1970: Int64(seconds * 1000) * 1_000_000)
        guard coordinate.isValid, !coordinate.isNullIsland, moment < now.advanced(by: Self.furthestAhead) else {
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

    /// How far ahead of this machine's clock a sender's may be.
    private static let furthestAhead = Duration.seconds(86_400)
}

extension JSONValue {
    /// A number, or a text that is one.
    fileprivate func miataruNumber(_ name: String) -> Double? {
        switch self[name] {
        case .number(let number): number
        case .string(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
        default: nil
        }
    }

    /// The same; -1 stands for what is not known.
    fileprivate func miataruKnown(_ name: String) -> Double? {
        miataruNumber(name).flatMap { $0 == -1 ? nil : $0 }
    }
}
