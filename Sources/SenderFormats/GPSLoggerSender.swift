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
        let parameters = request.parameters
        guard !parameters.isEmpty else {
            throw UnreadableRequest("expected parameters: lat, lon, time, and acc, alt, spd, dir, batt where known")
        }
        var reception = Reception()
        reception.take(PointMembers(gpsLogger: parameters).point(from: self))
        return reception
    }

    package func acceptance(of reception: Reception) -> SenderReply {
        SenderReply(status: 200, mediaType: "text/plain", body: Array("ok".utf8))
    }
}

extension PointMembers {
    /// Reads parameters; speeds are in metres per second, the battery in per cent.
    init(gpsLogger parameters: FormParameters) {
        device = parameters["device", "id", "aid", "ser"]
        time = parameters["time", "timestamp", "date"].flatMap { Timestamp(sent: $0) }
        latitude = parameters["lat", "latitude"].flatMap { Double(sent: $0) }
        longitude = parameters["lon", "longitude", "lng"].flatMap { Double(sent: $0) }
        altitude = parameters["alt", "altitude"].flatMap { Double(sent: $0) }
        horizontalAccuracy = parameters["acc", "accuracy"].flatMap { Double(sent: $0) }
        speed = parameters["spd", "speed", "s"].flatMap { Double(sent: $0) }
        course = parameters["dir", "direction", "bearing"].flatMap { Double(sent: $0) }
        horizontalDilution = parameters["hdop"].flatMap { Double(sent: $0) }
        satellites = parameters["sat", "satellites"].flatMap { Double(sent: $0) }
        batteryLevel = parameters["batt", "battery"].flatMap { Double(sent: $0) }.map { $0 / 100 }
        batteryState = parameters["ischarging"].flatMap { Bool(sent: $0) }.map { $0 ? .charging : .unplugged }
        activity = parameters["act", "activity"].flatMap { Activity(sent: $0) }
    }
}
