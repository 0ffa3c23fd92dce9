import TrackEngine
import TrackEngineServer

extension FuzzTarget {
    /// What phones send to a server: the first byte chooses the format, the second where the rest stands: `?` in the query,
    /// `f` in a form, `m` in a form of several parts, anything else in a body of JSON. What is read as a point has a place, and each reply is whole.
    static let senderRequests = FuzzTarget(name: "sender-requests") { bytes in
        guard bytes.count > 2 else { return }
        let format = formats[Int(bytes[0]) % formats.count]
        var request = SenderRequest(time: Timestamp(secondsSince1970: 1_772_366_400))
        switch bytes[1] {
        case UInt8(ascii: "?"): request.query = ParameterList(String(decoding: bytes[2...], as: UTF8.self))
        case UInt8(ascii: "f"):
            request.mediaType = "application/x-www-form-urlencoded"
            request.body = Array(bytes[2...])
        case UInt8(ascii: "m"):
            request.mediaType = "multipart/form-data"
            request.body = Array(bytes[2...])
        default:
            request.mediaType = "application/json"
            request.body = Array(bytes[2...])
        }
        guard let reception = try? format.read(request) else { return }  // nothing of the format
        precondition(reception.points.allSatisfy { $0.point.fix.coordinate.isValid }, "a point without a place")
        precondition(reception.points.count + reception.refusalCount <= bytes.count, "more elements than bytes")
        precondition(format.acceptance(of: reception).status == 200, "points that are not accepted")
    }

    private static let formats: [any SenderFormat] = [
        OverlandSender(), CalmGeoSender(), OwnTracksSender(), TraccarSender(), GPSLoggerSender(), MiataruSender(),
        OverlandSender.dawarich, MicroLoggerSender(),
    ]
}
