import OwnTracksFormat
import TrackEngine
import TrackEngineHistory

/// OwnTracks over HTTP: one object per request, with its kind in `_type`.
///
/// Only locations are points. The app's other messages are ignored, and unreadable ones are refused. The reply is the
/// same, because the app would send a refused message again and again. Overland has a mode in which it writes this
/// format, with its own features in between, and expects its own reply.
package struct OwnTracksSender: SenderFormat {
    package let name = "owntracks"

    /// The format.
    package init() {}

    package func read(_ request: SenderRequest) throws(UnreadableRequest) -> RequestContent {
        var reception = RequestContent()
        if request.body.isEmpty {
            // The app deleted a friend. A sender that writes a point into the address uses the wrong one.
            guard request.query["lat", "latitude", "location"] == nil else {
                throw UnreadableRequest("expected a body with an object with '_type'")
            }
            return reception
        }
        let device = request.ownTracksDevice
        _ = try request.readElements { message in
            let message = message.flatMap { opened($0, with: request.secret) }
            let result = message.flatMap { point($0, device, at: request.time) }
            if case .success(let value) = message, value.isOfOverland { reception.isFromOverland = true }
            reception.take(result)
        }
        return try reception.ofOwnFormat()
    }

    /// The message in an encrypted one, and any other as it is.
    private func opened(_ message: JSONValue, with secret: OwnTracksSecret?) -> Result<JSONValue, PointProblem> {
        guard message.isOwnTracksEncrypted else { return .success(message) }
        do throws(OwnTracksSecret.Unreadable) {
            guard let secret else { throw .noSecret }
            return .success(try secret.open(message))
        } catch {
            return .failure(PointProblem(.unusable, error.description))
        }
    }

    private func point(
        _ message: JSONValue, _ device: String?, at time: Timestamp
    ) -> Result<ReceivedPoint, PointProblem> {
        if message["properties"] != nil { return PointMembers.overland(message).flatMap { $0.point(from: self) } }
        return PointMembers.ownTracks(message, at: time).flatMap { members in
            var members = members
            if let device { members.device = device }
            return members.point(from: self)
        }
    }

    /// A filled array would hold commands or friends' places.
    package func acceptance(of reception: RequestContent) -> SenderReply {
        reception.isFromOverland ? OverlandSender().acceptance(of: reception) : .json(.array([]))
    }
}

extension SenderRequest {
    /// `user/device` from header fields or the query, or the device alone.
    fileprivate var ownTracksDevice: String? {
        let user = headerUser.flatMap { $0.isEmpty ? nil : $0 } ?? query["u", "user"]
        guard let device = headerDevice.flatMap({ $0.isEmpty ? nil : $0 }) ?? query["d", "device"] else { return nil }
        return user.map { "\($0)/\(device)" } ?? device
    }
}

extension JSONValue {
    /// True for Overland's messages: a feature, or a location with a time that counts from 2001.
    fileprivate var isOfOverland: Bool {
        self["properties"] != nil || self["tst"]?.senderNumber.map(Timestamp.countsFrom2001) == true
    }
}

extension PointMembers {
    /// Reads a location message. Speeds are in kilometres an hour, the battery in per cent. A message without `tst` and
    /// `created_at` is of the moment in which it came.
    static func ownTracks(_ message: JSONValue, at time: Timestamp) -> Result<PointMembers, PointProblem> {
        guard let kind = message["_type"]?.string else {
            return .failure(PointProblem(.foreign, "expected an object with '_type'"))
        }
        guard kind == "location" else {
            if kindsWithoutPlace.contains(kind) {
                return .failure(PointProblem(.otherMessage, "a message that is no location"))
            }
            return .failure(PointProblem(.unusable, "a message of a kind that is not known"))
        }
        let location = ReceivedLocation(message, number: \.senderNumber)
        var members = PointMembers()
        members.time = location.hasTime ? location.seconds.flatMap(Timestamp.init(ownTracks:)) : time
        members.latitude = location.latitude
        members.longitude = location.longitude
        members.horizontalAccuracy = location.horizontalAccuracy
        members.verticalAccuracy = location.verticalAccuracy
        members.altitude = location.altitude
        members.speed = location.speed
        members.course = location.course
        members.batteryLevel = location.batteryLevel
        members.batteryState = location.batteryState
        members.activity = message["motionactivities"].flatMap(Activity.init(motion:))
        for name in ["acc", "vac", "alt", "vel", "cog", "bear", "batt"] {
            if let value = message[name] { _ = members.number(name, value) }  // notes unreadable values
        }
        members.senderID = message["_id"]?.string.flatMap(SenderID.init(sent:))
        // The app's ids have 32 bits, so that two of a million messages have the same. With its own time a point that
        // comes again is known without.
        if location.hasTime, case .text = members.senderID { members.senderID = nil }
        members.device = location.device ?? message["tid"]?.senderText
        return .success(members)
    }

    /// The messages of <https://owntracks.org/booklet/tech/json/> that carry no point to keep.
    private static let kindsWithoutPlace: Set<String> = [
        "beacon", "card", "cmd", "configuration", "dump", "lwt", "request", "status", "steps", "transition", "waypoint",
        "waypoints",
    ]
}

extension Timestamp {
    /// A time of OwnTracks in seconds since 1970. Overland's OwnTracks mode counts from 2001-01-01
    /// (Overland-iOS#196): from it come the numbers that would lie between 1990 and 2001.
    ///
    /// | `tst` | moment |
    /// |---|---|
    /// | 1772359200 | 2026-03-01T10:00:00Z |
    /// | 794052000 | 2026-03-01T10:00:00Z |
    init?(ownTracks seconds: Double) {
        self.init(sent: Self.countsFrom2001(seconds) ? seconds + 978_307_200 : seconds)
    }

    fileprivate static func countsFrom2001(_ seconds: Double) -> Bool {
        (631_152_000..<978_307_200).contains(seconds)
    }
}
