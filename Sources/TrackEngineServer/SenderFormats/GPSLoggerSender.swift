import TrackEngine

/// GPSLogger for Android with a custom address, and other programs that write one point as parameters in SI units.
///
/// GPSLogger fills an address that the user writes, so there are several names for each value: those of its own
/// examples and those of Home Assistant's integration.
package struct GPSLoggerSender: SenderFormat {
    package let name = "gpslogger"

    /// The format.
    package init() {}

    package func read(_ request: SenderRequest) throws(UnreadableRequest) -> RequestContent {
        var reception = RequestContent()
        let members = PointMembers(gpsLogger: request.parameters, at: request.time)
        reception.take(members.point(from: self))
        return try reception.ofSinglePoints()
    }

    package func acceptance(of reception: RequestContent) -> SenderReply {
        SenderReply(status: 200, mediaType: "text/plain", body: Array("ok".utf8))
    }
}

extension PointMembers {
    /// Reads parameters; speeds are in metres per second, the battery in per cent. A form without a time, as that for
    /// Home Assistant, is of the moment in which it came.
    init(gpsLogger parameters: ParameterList, at time: Timestamp) {
        device = parameters["device", "id", "aid", "ser"]
        self.time = parameters.time(under: "time", "timestamp", "date", ifAbsent: time)
        latitude = number("lat", "latitude", in: parameters)
        longitude = number("lon", "longitude", "lng", in: parameters)
        altitude = number("alt", "altitude", in: parameters)
        horizontalAccuracy = number("acc", "accuracy", in: parameters)
        speed = number("spd", "speed", "s", in: parameters)
        course = number("dir", "direction", "bearing", in: parameters)
        horizontalDilution = number("hdop", in: parameters)
        satellites = number("sat", "satellites", in: parameters)
        batteryLevel = number("batt", "battery", "bat", in: parameters).map { $0 / 100 }
        batteryState = parameters["ischarging"].flatMap { Bool(sent: $0) }.map { $0 ? .charging : .unplugged }
        activity = parameters["act", "activity"].flatMap { Activity(sent: $0) }
    }
}
