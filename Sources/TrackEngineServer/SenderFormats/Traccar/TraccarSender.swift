import TrackEngine

/// Traccar's clients, the app OsmAnd and others with the OsmAnd protocol: parameters, a form, or JSON.
///
/// A request that names no place is a sign of life, and no point; one that names a place which cannot be read is
/// refused.
package struct TraccarSender: SenderFormat {
    package let name = "osmand"

    /// The format.
    package init() {}

    package func read(_ request: SenderRequest) throws(UnreadableRequest) -> RequestContent {
        Self.isJSON(request) ? try readJSON(request) : try readParameters(request)
    }

    private static func isJSON(_ request: SenderRequest) -> Bool {
        !request.body.isEmpty
            && (request.mediaType == "application/json" || request.body.first == UInt8(ascii: "{"))
    }

    /// Returns the name of the device anywhere in a request: these clients have no other field for a token.
    package func device(in request: SenderRequest) -> String? {
        if let name = request.parameters["id", "deviceid"] { return name }
        guard Self.isJSON(request) else { return nil }
        return JSONValue(readingNumberWords: request.body)?["device_id"]?.senderText
    }

    private func readParameters(_ request: SenderRequest) throws(UnreadableRequest) -> RequestContent {
        let parameters = request.parameters
        var reception = RequestContent()
        var members = PointMembers(osmAnd: parameters, at: request.time)
        members.device = parameters["id", "deviceid"]
        // With the token in the address, the position alone is enough.
        let hasPlace = parameters.names("lat", "latitude", "lon", "longitude", "lng", "location")
        guard members.device != nil || hasPlace else {
            throw UnreadableRequest("expected the parameter 'id' with the device's name")
        }
        let isForm = request.body.isEmpty || request.mediaType == "application/x-www-form-urlencoded"
        if !hasPlace, parameters.has("timestamp"), isForm {
            if parameters.hasOthers(than: Self.namesWithoutPlace) {
                reception.take(.failure(PointProblem(.incomplete, "expected a latitude and a longitude")))
            }
            return reception
        }
        guard parameters["valid"].map(Self.saysInvalid) != true else {
            reception.take(.failure(PointProblem(.unusable, "a position that the sender calls invalid")))
            return reception
        }
        reception.take(members.point(from: self))
        return try reception.ofSinglePoints()
    }

    /// The names in a sign of life. With others, the place may be under one that is not known.
    private static let namesWithoutPlace: Set = [
        "id", "deviceid", "timestamp", "time", "batt", "charge", "motion", "event", "alarm", "valid", "accuracy",
        "altitude", "speed", "bearing", "heading", "hdop", "sat", "mock", "odometer", "driveruniqueid",
    ]

    private func readJSON(_ request: SenderRequest) throws(UnreadableRequest) -> RequestContent {
        var reception = RequestContent()
        var isAlive = false
        let others = try request.readElements(in: ["location"], beside: ["device_id"]) { element in
            if case .success(let location) = element, location.isSignOfLife {
                isAlive = true
            } else {
                reception.take(element.flatMap(point))
            }
        }
        guard let device = others["device_id"]?.senderText else {
            throw UnreadableRequest("expected an object with 'device_id' and 'location'")
        }
        reception.setDevice(device)
        return isAlive ? reception : try reception.ofOwnFormat().ofSinglePoints()
    }

    private func point(_ location: JSONValue) -> Result<ReceivedPoint, PointProblem> {
        guard location["coords"]?.members != nil else {
            return .failure(PointProblem(.foreign, "expected 'location' with 'timestamp' and 'coords'"))
        }
        return PointMembers(geolocation: location).point(from: self)
    }

    /// A body would be taken for a command.
    package func acceptance(of reception: RequestContent) -> SenderReply {
        SenderReply(status: 200, mediaType: "text/plain", body: [])
    }
}

extension JSONValue {
    /// True for a location with a time and without any part of a position.
    fileprivate var isSignOfLife: Bool {
        let places = [
            "coords", "coordinates", "lat", "latitude", "lon", "longitude", "lng", "geometry", "position", "location",
        ]
        return self["timestamp"] != nil
            && members?.contains { places.contains($0.name.lowercased()) } != true
    }
}

extension ParameterList {
    /// Whether the app OsmAnd has written them. The names show nothing by themselves: users write the address of
    /// OsmAnd, with names of Traccar's clients if they like and constants of their own.
    ///
    /// | sender | timestamp | speed | accuracy |
    /// |---|---|---|---|
    /// | Traccar's clients and their forks | seconds | knots | `accuracy`, in metres |
    /// | OsmAnd | milliseconds | metres per second | `hdop` or another name, in metres |
    /// | others with the protocol | any | knots | `accuracy`; `hdop` has no unit |
    ///
    /// OsmAnd fills in `…&lat={0}&lon={1}&timestamp={2}&hdop={3}&altitude={4}&speed={5}&bearing={6}`, with all numbers
    /// as Java writes a `float`; latitude and longitude may have up to seven decimals instead, as later versions write
    /// them.
    ///
    /// A request in milliseconds with `hdop` and no name that OsmAnd's own address lacks needs no further evidence. In
    /// any other, all numbers must have the form that Java gives them, and `hdop` and `accuracy` must be the same. With
    /// `valid` a sender declares that it is none, as documented in `Routes`.
    ///
    /// Sources: https://github.com/osmandapp/OsmAnd, LiveMonitoringHelper.java;
    /// https://github.com/traccar/traccar-client-android, ProtocolFormatter.kt
    fileprivate var areOfOsmAndApp: Bool {
        let isInMilliseconds = self["timestamp"].map { $0.utf8.count == 13 && Int64($0) != nil } ?? false
        guard isInMilliseconds, !has("valid") else { return false }
        let hasOtherNames = has(
            "accuracy", "batt", "charge", "motion", "odometer", "sat", "mock", "driveruniqueid", "event", "alarm")
        if has("hdop"), !hasOtherNames { return true }
        let hasTwoAccuracies = has("hdop") && has("accuracy") && self["hdop"] != self["accuracy"]
        return areFloats && !hasTwoAccuracies
    }

    private var areFloats: Bool {
        ["altitude", "speed", "bearing", "accuracy", "hdop"].allSatisfy { !has($0) || self[$0]?.isJavaFloat == true }
            && ["lat", "lon"].allSatisfy { name in
                guard has(name), let text = self[name] else { return !has(name) }
                return text.isJavaFloat || text.hasUpToSevenDecimals
            }
    }
}

extension String {
    /// Whether Java writes a `float` so: with a point, and with at most nine digits that count (`53.551235`, `0.0`,
    /// `1.5E-4`).
    fileprivate var isJavaFloat: Bool {
        guard Double(sent: self) != nil, contains(".") else { return false }
        let digits = prefix { $0 != "E" }.filter(\.isNumber).drop { $0 == "0" }
        return digits.count <= 9
    }

    /// Whether the number has two to seven decimals, as with the format `0.00#####`.
    fileprivate var hasUpToSevenDecimals: Bool {
        guard Double(sent: self) != nil, let point = firstIndex(of: ".") else { return false }
        let decimals = self[point...].dropFirst()
        return (2...7).contains(decimals.count) && decimals.allSatisfy(\.isNumber)
    }
}

extension TraccarSender {
    /// Whether the parameter `valid` says no, or is the status `V` of NMEA.
    private static func saysInvalid(_ text: String) -> Bool {
        let word = text.lowercased().filter { $0.isLetter || $0.isNumber }
        return Bool(sent: word) == false || ["v", "invalid", "nofix"].contains(word)
    }
}

extension PointMembers {
    /// Reads parameters of the OsmAnd protocol. Speeds are in knots, but those of the app OsmAnd in metres per
    /// second; the battery is in per cent. Without a timestamp a point is of the moment in which it came.
    init(osmAnd parameters: ParameterList, at time: Timestamp) {
        let place = parameters["location"]?.split(separator: ",", maxSplits: 1).map { Double(sent: $0) } ?? []
        latitude = number("lat", "latitude", in: parameters) ?? (place.count == 2 ? place[0] : nil)
        longitude = number("lon", "longitude", in: parameters) ?? (place.count == 2 ? place[1] : nil)
        self.time = parameters.time(under: "timestamp", "time", ifAbsent: time)
        speed = number("speed", in: parameters)
        course = number("bearing", "heading", in: parameters)
        altitude = number("altitude", in: parameters)
        horizontalAccuracy = number("accuracy", in: parameters)
        horizontalDilution = number("hdop", in: parameters)
        if parameters.areOfOsmAndApp {
            let radius = horizontalDilution ?? horizontalAccuracy
            horizontalAccuracy = radius.flatMap { $0 > 0 ? $0 : nil }  // 0 where it is not known
            horizontalDilution = nil
        } else {
            speed = speed.map { $0 * Knot.metresPerSecond }
        }
        satellites = number("sat", in: parameters)
        batteryLevel = number("batt", in: parameters).map { $0 / 100 }
        batteryState = parameters["charge"].flatMap { Bool(sent: $0) }.map { $0 ? .charging : .unplugged }
        isSimulated = parameters["mock"].flatMap { Bool(sent: $0) } == true
    }
}
