public import TrackEngine

extension Coordinate: Codable {
    private enum Key: String, CodingKey { case latitude, longitude }

    /// Reads `latitude` and `longitude` in degrees.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        self.init(
            latitude: try members.decode(Double.self, forKey: .latitude),
            longitude: try members.decode(Double.self, forKey: .longitude))
    }

    /// Writes `latitude` and `longitude` in degrees.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(latitude, forKey: .latitude)
        try members.encode(longitude, forKey: .longitude)
    }
}

/// An object with the members of `trackengine.record/1` that describe a fix, in SI units. Unknown values are absent.
extension Fix: Codable {
    private enum Key: String, CodingKey {
        case time, latitude, longitude, altitude, ellipsoidalAltitude, horizontalAccuracy, verticalAccuracy
        case speed, speedAccuracy, course, courseAccuracy, hdop, pdop, satellitesUsed, satellitesVisible
        case mode, status, fixActivity, simulated, weekRolloverCorrected
    }

    /// Reads a fix. Without `latitude` or `longitude` its coordinate is not valid.
    ///
    /// - Throws: `DecodingError` without a time, or if a value has the wrong type.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        func number(_ key: Key) throws -> Double? { try members.decodeIfPresent(Double.self, forKey: key) }
        var flags: Flags = []
        if try members.decodeIfPresent(Bool.self, forKey: .simulated) == true { flags.insert(.simulated) }
        if try members.decodeIfPresent(Bool.self, forKey: .weekRolloverCorrected) == true {
            flags.insert(.weekRolloverCorrected)
        }
        self.init(
            time: try members.decode(Timestamp.self, forKey: .time),
            coordinate: Coordinate(
                latitude: try number(.latitude) ?? .nan, longitude: try number(.longitude) ?? .nan),
            altitude: try number(.altitude), ellipsoidalAltitude: try number(.ellipsoidalAltitude),
            horizontalAccuracy: try number(.horizontalAccuracy), verticalAccuracy: try number(.verticalAccuracy),
            speed: try number(.speed), speedAccuracy: try number(.speedAccuracy),
            course: try number(.course), courseAccuracy: try number(.courseAccuracy),
            horizontalDilution: try members.decodeIfPresent(Float.self, forKey: .hdop),
            positionDilution: try members.decodeIfPresent(Float.self, forKey: .pdop),
            satellitesUsed: try members.decodeIfPresent(UInt8.self, forKey: .satellitesUsed),
            satellitesVisible: try members.decodeIfPresent(UInt8.self, forKey: .satellitesVisible),
            mode: try members.decodeIfPresent(Mode.self, forKey: .mode),
            status: try members.decodeIfPresent(Status.self, forKey: .status),
            activity: try members.decodeIfPresent(Activity.self, forKey: .fixActivity), flags: flags)
    }

    /// Writes the known values of the fix; an invalid coordinate is omitted.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(time, forKey: .time)
        if coordinate.isValid {
            try members.encode(coordinate.latitude, forKey: .latitude)
            try members.encode(coordinate.longitude, forKey: .longitude)
        }
        try members.encodeIfPresent(altitude, forKey: .altitude)
        try members.encodeIfPresent(ellipsoidalAltitude, forKey: .ellipsoidalAltitude)
        try members.encodeIfPresent(horizontalAccuracy, forKey: .horizontalAccuracy)
        try members.encodeIfPresent(verticalAccuracy, forKey: .verticalAccuracy)
        try members.encodeIfPresent(speed, forKey: .speed)
        try members.encodeIfPresent(speedAccuracy, forKey: .speedAccuracy)
        try members.encodeIfPresent(course, forKey: .course)
        try members.encodeIfPresent(courseAccuracy, forKey: .courseAccuracy)
        try members.encodeIfPresent(horizontalDilution, forKey: .hdop)
        try members.encodeIfPresent(positionDilution, forKey: .pdop)
        try members.encodeIfPresent(satellitesUsed, forKey: .satellitesUsed)
        try members.encodeIfPresent(satellitesVisible, forKey: .satellitesVisible)
        try members.encodeIfPresent(mode, forKey: .mode)
        try members.encodeIfPresent(status, forKey: .status)
        try members.encodeIfPresent(activity, forKey: .fixActivity)
        if flags.contains(.simulated) { try members.encode(true, forKey: .simulated) }
        if flags.contains(.weekRolloverCorrected) { try members.encode(true, forKey: .weekRolloverCorrected) }
    }
}
