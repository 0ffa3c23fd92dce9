import TrackEngine

/// Traccar's clients and others with the OsmAnd protocol: parameters, a form, or JSON.
///
/// A request without a position is a sign of life, and no point.
package struct TraccarSender: SenderFormat {
    package let name = "osmand"

    /// The format.
    package init() {}

    package func read(_ request: SenderRequest) throws(UnreadableRequest) -> Reception {
        Self.isJSON(request) ? try readJSON(request) : try readParameters(request)
    }

    private static func isJSON(_ request: SenderRequest) -> Bool {
        !request.body.isEmpty
            && (request.mediaType == "application/json" || request.body.first == UInt8(ascii: "{"))
    }

    /// What a request calls its device, wherever that stands: these clients have no other place for a token.
    package func device(in request: SenderRequest) -> String? {
        if let name = request.parameters["id", "deviceid"] { return name }
        guard Self.isJSON(request) else { return nil }
        return JSONValue(ifReadable: request.body)?["device_id"]?.senderText
    }

    private func readParameters(_ request: SenderRequest) throws(UnreadableRequest) -> Reception {
        let parameters = request.parameters
        var reception = Reception()
        var members = PointMembers(osmAnd: parameters, at: request.time)
        members.device = parameters["id", "deviceid"]
        // Behind an address with the token the place alone will do.
        guard members.device != nil || members.latitude != nil else {
            throw UnreadableRequest("expected the parameter 'id' with the device's name")
        }
        let isForm = request.body.isEmpty || request.mediaType == "application/x-www-form-urlencoded"
        if members.latitude == nil, members.longitude == nil, parameters.has("timestamp"), isForm { return reception }
        guard parameters["valid"].flatMap({ Bool(sent: $0) }) != false else {
            reception.take(.failure(PointProblem(.unusable, "a position that the sender calls invalid")))
            return reception
        }
        try reception.takeOnly(members.point(from: self))
        return reception
    }

    private func readJSON(_ request: SenderRequest) throws(UnreadableRequest) -> Reception {
        var reception = Reception()
        var isAlive = false
        let others = try request.readElements(in: ["location"], beside: ["device_id"]) { element in
            if case .success(let location) = element, location["coords"] == nil, location["timestamp"] != nil {
                isAlive = true
            } else {
                reception.take(element.flatMap(point))
            }
        }
        guard let device = others["device_id"]?.senderText else {
            throw UnreadableRequest("expected an object with 'device_id' and 'location'")
        }
        reception.setDevice(device)
        return isAlive ? reception : try reception.ofOwnFormat()
    }

    private func point(_ location: JSONValue) -> Result<ReceivedPoint, PointProblem> {
        guard location["coords"]?.members != nil else {
            return .failure(PointProblem(.foreign, "expected 'location' with 'timestamp' and 'coords'"))
        }
        return PointMembers(geolocation: location).point(from: self)
    }

    /// A body would be taken for a command.
    package func acceptance(of reception: Reception) -> SenderReply {
        SenderReply(status: 200, mediaType: "text/plain", body: [])
    }
}

extension PointMembers {
    /// Reads parameters of the OsmAnd protocol; speeds are in knots, the battery in per cent. Without a timestamp a point is of
    /// the moment in which it came.
    init(osmAnd parameters: FormParameters, at time: Timestamp) {
        let place = parameters["location"]?.split(separator: ",", maxSplits: 1).map { Double(sent: $0) } ?? []
        latitude = parameters.number("lat", "latitude") ?? (place.count == 2 ? place[0] : nil)
        longitude = parameters.number("lon", "longitude") ?? (place.count == 2 ? place[1] : nil)
        self.time = parameters.first("timestamp", "time") { Timestamp(sent: $0) }
        if !parameters.has("timestamp", "time") { self.time = time }
        speed = parameters.number("speed").map { $0 * Knot.metresPerSecond }
        course = parameters.number("bearing", "heading")
        altitude = parameters.number("altitude")
        horizontalAccuracy = parameters.number("accuracy")
        horizontalDilution = parameters.number("hdop")
        satellites = parameters.number("sat")
        batteryLevel = parameters.number("batt").map { $0 / 100 }
        batteryState = parameters["charge"].flatMap { Bool(sent: $0) }.map { $0 ? .charging : .unplugged }
        isSimulated = parameters["mock"].flatMap { Bool(sent: $0) } == true
    }
}
