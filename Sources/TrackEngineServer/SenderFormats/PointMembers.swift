import TrackEngine
import TrackEngineFiles
import TrackEngineHistory

/// A sender's values for one point, in the engine's units, before they are checked as a whole.
///
/// Senders write -1 for unknown numbers; `Fix` drops those that cannot be negative. Overland also writes a negative
/// horizontal accuracy for an invalid position. Such a position is kept: it cannot be distinguished from one with an
/// unknown accuracy, for which our own sink writes the same.
struct PointMembers {
    /// The sender's name for the device.
    var device: String?
    var time: Timestamp?
    /// Degrees.
    var latitude: Double?
    /// Degrees.
    var longitude: Double?
    /// Metres above mean sea level.
    var altitude: Double?
    /// Metres above the ellipsoid.
    var ellipsoidalAltitude: Double?
    /// Metres.
    var horizontalAccuracy: Double?
    /// Metres.
    var verticalAccuracy: Double?
    /// Metres per second.
    var speed: Double?
    /// Metres per second.
    var speedAccuracy: Double?
    /// Degrees from north; negative for unknown.
    var course: Double?
    /// Degrees.
    var courseAccuracy: Double?
    var horizontalDilution: Double?
    var satellites: Double?
    var activity: Activity?
    var isMoving: Bool?
    var isSimulated = false
    /// 0 to 1.
    var batteryLevel: Double?
    var batteryState: HostStatus.BatteryState?
    /// The sender's id for the point.
    var senderID: SenderID?
    /// The names of present values that cannot be read; a point is kept without them.
    private var unread: [String] = []

    /// Returns a number of a document; notes its name where the value is present but no number.
    mutating func number(_ name: String, _ value: JSONValue) -> Double? {
        if let number = value.senderNumber { return number }
        if value != .null, value.string?.saysNothing != true { unread.append(name) }
        return nil
    }

    /// Returns the first number of a form under some names; notes a name where none of the values is a number.
    mutating func number(_ names: String..., in parameters: ParameterList) -> Double? {
        if let number = parameters.number(names) { return number }
        if let name = parameters.unreadable(names) { unread.append(name) }
        return nil
    }

    /// Returns the point, or the reason why there is none.
    func point(from format: some SenderFormat) -> Result<ReceivedPoint, PointProblem> {
        guard let latitude, let longitude else {
            return .failure(PointProblem(.incomplete, "expected a latitude and a longitude"))
        }
        let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        guard coordinate.isValid else {
            return .failure(
                PointProblem(.incomplete, "expected a latitude within ±90 and a longitude within ±180 degrees"))
        }
        guard !coordinate.isNullIsland else {
            return .failure(PointProblem(.unusable, "expected a position; a receiver without one reports 0, 0"))
        }
        guard let time else {
            return .failure(
                PointProblem(.incomplete, "expected a time: RFC 3339, or seconds or milliseconds since 1970"))
        }
        guard !time.isOfUnsetClock else {
            return .failure(PointProblem(.unusable, "expected a date; this one comes from a clock that was not set"))
        }
        let point = HistoryPoint(
            fix: fix(time, coordinate), isMoving: isMoving, host: host, source: SourceID(rawValue: format.name),
            senderID: senderID)
        return .success(ReceivedPoint(device: device, point: point, unread: unread))
    }

    private func fix(_ time: Timestamp, _ coordinate: Coordinate) -> Fix {
        Fix(
            time: time, coordinate: coordinate, altitude: hasAltitude ? altitude : nil,
            ellipsoidalAltitude: ellipsoidalAltitude, horizontalAccuracy: horizontalAccuracy,
            verticalAccuracy: verticalAccuracy, speed: speed.flatMap { $0 < 100_000 ? $0 : nil },
            speedAccuracy: speedAccuracy,
            course: course?.knownCourse, courseAccuracy: courseAccuracy,
            horizontalDilution: horizontalDilution.map { Float($0) },
            satellitesUsed: satellites.flatMap { UInt8(exactly: $0) }, activity: activity,
            flags: isSimulated ? .simulated : [])
    }

    /// True when the altitude is valid.
    ///
    /// On a phone a negative vertical accuracy means an invalid altitude. Our own sink writes it for an unknown
    /// accuracy, and an altitude of 0 with it for an unknown altitude. In a zone of Wi-Fi, Overland writes -1.
    private var hasAltitude: Bool {
        guard let altitude, abs(altitude) < 1_000_000 else { return false }
        guard let verticalAccuracy else { return true }
        if verticalAccuracy < 0 { return altitude != 0 && isOurs }
        return !(altitude == -1 && verticalAccuracy == 0)
    }

    /// Whether the record is one of ours.
    private var isOurs: Bool {
        if case .record = senderID { true } else { false }
    }

    private var host: HostStatus? {
        let status = HostStatus(batteryLevel: batteryLevel, batteryState: batteryState ?? .unknown)
        return status.batteryLevel == nil && status.batteryState == .unknown ? nil : status
    }
}
