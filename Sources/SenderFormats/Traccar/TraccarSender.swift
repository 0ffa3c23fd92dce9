import TrackEngine

/// Traccar's clients and others with the OsmAnd protocol: parameters, a form, or JSON.
///
/// A request without a position is a sign of life, and no point.
package struct TraccarSender: SenderFormat {
    package let name = "osmand"

    /// The format.
    package init() {}

    package func read(_ request: SenderRequest) throws(UnreadableRequest) -> Reception {
        request.mediaType == "application/json" ? try readJSON(request) : try readParameters(request)
    }

    private func readParameters(_ request: SenderRequest) throws(UnreadableRequest) -> Reception {
        let parameters = request.parameters
        guard let device = parameters["id", "deviceid"] else {
            throw UnreadableRequest("expected the parameter 'id' with the device's name")
        }
        var reception = Reception()
        if parameters["lat", "lon", "location"] == nil { return reception }
        guard parameters["valid"].flatMap({ Bool(sent: $0) }) != false else {
            reception.take(.failure(PointProblem("a position that the sender calls invalid")))
            return reception
        }
        var members = PointMembers(osmAnd: parameters)
        members.device = device
        reception.take(members.point(from: self))
        return reception
    }

    private func readJSON(_ request: SenderRequest) throws(UnreadableRequest) -> Reception {
        var reception = Reception()
        let others = try request.readElements(in: ["location"], beside: ["device_id"]) { location in
            if case .success(let location) = location, location["coords"] == nil { return }
            reception.take(location.flatMap { PointMembers(geolocation: $0).point(from: self) })
        }
        guard let device = others["device_id"]?.senderText else {
            throw UnreadableRequest("expected an object with 'device_id' and 'location'")
        }
        reception.setDevice(device)
        return reception
    }

    /// A body would be taken for a command.
    package func acceptance(of reception: Reception) -> SenderReply {
        SenderReply(status: 200, mediaType: "text/plain", body: [])
    }
}

extension PointMembers {
    /// Reads parameters of the OsmAnd protocol; speeds are in knots, the battery in per cent.
    init(osmAnd parameters: FormParameters) {
        let place = parameters["location"]?.split(separator: ",", maxSplits: 1).map(String.init) ?? []
        latitude = (parameters["lat"] ?? place.first).flatMap { Double(sent: $0) }
        longitude = (parameters["lon"] ?? place.dropFirst().first).flatMap { Double(sent: $0) }
        time = parameters["timestamp"].flatMap { Timestamp(sent: $0) }
        speed = parameters["speed"].flatMap { Double(sent: $0) }.map { $0 * Self.metresPerSecondInKnot }
        course = parameters["bearing", "heading"].flatMap { Double(sent: $0) }
        altitude = parameters["altitude"].flatMap { Double(sent: $0) }
        horizontalAccuracy = parameters["accuracy"].flatMap { Double(sent: $0) }
        horizontalDilution = parameters["hdop"].flatMap { Double(sent: $0) }
        batteryLevel = parameters["batt"].flatMap { Double(sent: $0) }.map { $0 / 100 }
        batteryState = parameters["charge"].flatMap { Bool(sent: $0) }.map { $0 ? .charging : .unplugged }
    }

    /// A knot is 1852 m an hour.
    private static let metresPerSecondInKnot = 1852.0 / 3600
}
