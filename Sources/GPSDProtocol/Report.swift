package import TrackEngine

/// One message of gpsd, with the content that a position source needs.
package enum Report: Sendable, Hashable {
    /// VERSION: the first message of a connection. Any protocol number is accepted: 3.x, and the 0.16 and 16.1 of
    /// newer releases, which use the same JSON.
    case version(release: String, protocolVersion: String)
    /// DEVICES: the paths of all receivers that gpsd knows; may be empty.
    case devices([String])
    /// DEVICE: a receiver was added (or changed its driver) or removed.
    case device(path: String, isActive: Bool)
    /// WATCH: whether gpsd streams to this client.
    case watch(isEnabled: Bool)
    /// TPV: time, position, velocity.
    case position(PositionReport)
    /// SKY: satellites and dilution of precision.
    case sky(SkyReport)
    /// POLL: the latest TPV and SKY of each receiver, in one line.
    case poll(positions: [PositionReport], skies: [SkyReport])
    /// ERROR: gpsd did not understand a request or could not perform it.
    case error(String)
    /// A class without a position, such as GST (whose `lat` and `lon` are errors in metres), ATT, AIS.
    case other(String)
}

/// The values of one TPV; several of them may describe one epoch of the receiver.
package struct PositionReport: Sendable, Hashable {
    /// The receiver's path; `nil` if gpsd does not name it.
    package var device: String?
    /// The receiver's time. It may be present without a fix, and is wrong until the receiver knows the leap seconds.
    package var time: Timestamp?
    /// Whether the message has an invalid text for the time; ``time`` is `nil` then.
    package var hasMalformedTime = false
    /// The dimensions of the solution; `nil` without a fix.
    package var mode: Fix.Mode?
    /// The kind of solution; gpsd does not write "normal", so `nil` is the rule.
    package var status: Fix.Status?
    /// The position; `nil` unless both latitude and longitude are present.
    package var coordinate: Coordinate?
    /// Height above the ellipsoid, in metres.
    package var altHAE: Double?
    /// Height above mean sea level, in metres.
    package var altMSL: Double?
    /// The deprecated `alt`, in metres above either of the two.
    package var alt: Double?
    /// Height of the geoid above the ellipsoid, in metres.
    package var geoidSeparation: Double?
    /// Horizontal uncertainty, in metres.
    package var eph: Double?
    /// Uncertainty of the longitude, in metres.
    package var epx: Double?
    /// Uncertainty of the latitude, in metres.
    package var epy: Double?
    /// Uncertainty of the height, in metres.
    package var epv: Double?
    /// Speed over ground, in metres per second.
    package var speed: Double?
    /// Uncertainty of the speed, in metres per second.
    package var eps: Double?
    /// Course over ground, in degrees from true north; absent at standstill.
    package var track: Double?
    /// Uncertainty of the course, in degrees.
    package var epd: Double?

    /// Creates a report without values.
    package init() {}
}

/// The values of one SKY; it may have dilutions without satellites.
package struct SkyReport: Sendable, Hashable {
    /// The receiver's path; `nil` if gpsd does not name it.
    package var device: String?
    /// The epoch that it describes; `nil` if gpsd does not give it.
    package var time: Timestamp?
    /// The number of satellites used for the solution: `uSat`, or before gpsd 3.22 those marked as used.
    package var satellitesUsed: Int?
    /// The number of satellites that the receiver sees: `nSat`, or before gpsd 3.22 those listed.
    package var satellitesVisible: Int?
    /// Horizontal dilution of precision.
    package var hdop: Double?
    /// Position dilution of precision.
    package var pdop: Double?

    /// Creates a report without values.
    package init() {}
}
