import TrackEngine

/// GPSLogger for Android with a custom address, and what else writes one point as parameters in SI units.
///
/// GPSLogger fills an address that the user writes, so there are several names for each value: those of its own examples and
/// those of Home Assistant's integration.
package struct GPSLoggerSender: SenderFormat {
    package let name = "gpslogger"

    /// The format.
    package init() {}

    package func read(_ request: SenderRequest) throws(UnreadableRequest) -> Reception {
        var reception = Reception()
        let members = PointMembers(gpsLogger: request.parameters, at: request.time)
        try reception.takeOnly(members.point(from: self))
        return reception
    }

    package func acceptance(of reception: Reception) -> SenderReply {
        SenderReply(status: 200, mediaType: "text/plain", body: Array("ok".utf8))
    }
}

extension PointMembers {
    /// Reads parameters; speeds are in metres per second, the battery in per cent. A form without a time, as that for Home
    /// Assistant, is of the moment in which it came.
    init(gpsLogger parameters: FormParameters, at time: Timestamp) {
        device = parameters["device", "id", "aid", "ser"]
        self.time = parameters.first("time", "timestamp", "date") { Timestamp(sent: $0) }
        if !parameters.has("time", "timestamp", "date") { self.time = time }
        latitude = parameters.number("lat", "latitude")
        longitude = parameters.number("lon", "longitude", "lng")
        altitude = parameters.number("alt", "altitude")
        horizontalAccuracy = parameters.number("acc", "accuracy")
        speed = parameters.number("spd", "speed", "s")
        course = parameters.number("dir", "direction", "bearing")
        horizontalDilution = parameters.number("hdop")
        satellites = parameters.number("sat", "satellites")
        batteryLevel = parameters.number("batt", "battery").map { $0 / 100 }
        batteryState = parameters["ischarging"].flatMap { Bool(sent: $0) }.map { $0 ? .charging : .unplugged }
        activity = parameters["act", "activity"].flatMap { Activity(sent: $0) }
    }
}
