import TrackEngine

/// μlogger for Android: one form per request, with `action`: `auth` logs in, `addtrack` begins a track, `addpos` has
/// a position, and has several parts if it comes with a picture.
///
/// The app sends no other request until one was answered with 200 and `"error":false`.
///
/// Source: https://github.com/bfabiszewski/ulogger-android, WebHelper.java
package struct MicroLoggerSender: SenderFormat {
    package let name = "ulogger"

    /// The format.
    package init() {}

    package func read(_ request: SenderRequest) throws(UnreadableRequest) -> RequestContent {
        let parameters =
            request.mediaType == "multipart/form-data" ? ParameterList(parts: request.body) : request.parameters
        var reception = RequestContent()
        switch parameters["action"] {
        case "auth", "addtrack": return reception
        case "addpos": reception.take(PointMembers(microLogger: parameters).point(from: self))
        case _: throw UnreadableRequest("expected a form with the action auth, addtrack or addpos")
        }
        return try reception.ofSinglePoints()
    }

    /// Tracks have no names here, and all of a device are one.
    package func acceptance(of reception: RequestContent) -> SenderReply {
        .json(.object([.init("error", .boolean(false)), .init("trackid", .number(1))]))
    }

    package func refusal(status: Int, reason: String) -> SenderReply {
        .json(status: status, .object([.init("error", .boolean(true)), .init("message", .string(reason))]))
    }
}

extension PointMembers {
    /// Reads the parameters of a position: metres per second, seconds since 1970, the battery in per cent.
    fileprivate init(microLogger parameters: ParameterList) {
        time = parameters.first("time") { Timestamp(sent: $0) }
        latitude = number("lat", in: parameters)
        longitude = number("lon", in: parameters)
        altitude = number("altitude", in: parameters)
        speed = number("speed", in: parameters)
        course = number("bearing", in: parameters)
        horizontalAccuracy = number("accuracy", in: parameters)
        batteryLevel = number("battery", in: parameters).map { $0 / 100 }
    }
}
