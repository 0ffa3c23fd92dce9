import TrackEngine
import TrackEngineHistory

/// OwnTracks over HTTP: one object a request, told apart by `_type`.
///
/// Only locations are points. The other kinds are refused by name; the reply is the same, because the app would send a
/// refused message again and again.
package struct OwnTracksSender: SenderFormat {
    package let name = "owntracks"

    /// The format.
    package init() {}

    package func read(_ request: SenderRequest) throws(UnreadableRequest) -> Reception {
        var reception = Reception()
        guard !request.body.isEmpty else { return reception }  // a friend was deleted
        let device = request.headerDevice ?? request.query["d", "device"]
        _ = try request.readElements { message in reception.take(message.flatMap { point($0, device) }) }
        return try reception.ofOwnFormat()
    }

    private func point(_ message: JSONValue, _ device: String?) -> Result<ReceivedPoint, PointProblem> {
        guard let kind = message["_type"]?.string else {
            return .failure(PointProblem("expected an object with '_type'", isForeign: true))
        }
        guard kind == "location" else {
            let isEncrypted = kind == "encrypted"
            let reason =
                isEncrypted ? "an encrypted message, for which there is no key" : "a message that is no location"
            return .failure(PointProblem(reason))
        }
        var members = PointMembers(ownTracks: message)
        if let device { members.device = device }
        return members.point(from: self)
    }

    /// Commands or friends' places would stand in the array.
    package func acceptance(of reception: Reception) -> SenderReply { .json(.array([])) }
}

extension PointMembers {
    /// Reads a location message. Speeds are in kilometres an hour, the battery in per cent.
    init(ownTracks message: JSONValue) {
        for member in message.members ?? [] { readOwnTracks(member.name, member.value) }
    }

    private mutating func readOwnTracks(_ name: String, _ value: JSONValue) {
        switch name {
        case "tst": time = value.senderNumber.flatMap(Timestamp.init(ownTracks:))
        case "lat": latitude = value.senderNumber
        case "lon": longitude = value.senderNumber
        case "acc": horizontalAccuracy = value.senderNumber
        case "vac": verticalAccuracy = value.senderNumber
        case "alt": altitude = value.senderNumber
        case "vel": speed = value.senderNumber.map { $0 / 3.6 }
        case "cog": course = value.senderNumber
        case "batt": batteryLevel = value.senderNumber.map { $0 / 100 }
        case "bs": batteryState = value.senderNumber.flatMap(HostStatus.BatteryState.init(ownTracks:))
        case "motionactivities": activity = Activity(motion: value)
        case "_id": senderID = value.string.flatMap(SenderID.init(sent:))
        case "topic": device = value.string?.split(separator: "/").last.map(String.init)
        default: break
        }
    }
}

extension Timestamp {
    /// A time of OwnTracks in seconds since 1970. Overland's OwnTracks mode counts from 2001-01-01 (Overland-iOS#196): from
    /// it come the numbers that would lie between 1990 and 2001.
    ///
    /// | `tst` | moment |
    /// |---|---|
    /// | 1772359200 | 2026-03-01T10:00:00Z |
    /// | 794052000 | 2026-03-01T10:00:00Z |
    init?(ownTracks seconds: Double) {
        let isSince2001 = (631_152_000..<978_307_200).contains(seconds)
        self.init(sent: isSince2001 ? seconds + 978_307_200 : seconds)
    }
}

extension HostStatus.BatteryState {
    /// 0 unknown, 1 unplugged, 2 charging, 3 full.
    fileprivate init?(ownTracks number: Double) {
        switch number {
        case 1: self = .unplugged
        case 2: self = .charging
        case 3: self = .full
        case _: return nil
        }
    }
}
