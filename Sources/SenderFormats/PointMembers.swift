import TrackEngine
import TrackEngineFormats
import TrackEngineHistory

/// What a sender says of one point, in the engine's units, before it is looked at as a whole.
///
/// Senders write -1 for numbers that they do not know; `Fix` drops those that cannot be negative. Overland writes a negative
/// horizontal accuracy for a position that is not valid, too; it cannot be told from one whose accuracy is not known, which is
/// what our own sink means, and is kept.
struct PointMembers {
    /// What the sender calls the device.
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
    /// What the sender calls the point.
    var senderID: SenderID?
    /// The names of values that say something and cannot be read; a point is kept without them.
    private var unread: [String] = []

    /// A number of a document; it is noted where it says something else.
    mutating func number(_ name: String, _ value: JSONValue) -> Double? {
        if let number = value.senderNumber { return number }
        if value != .null, value.string?.saysNothing != true { unread.append(name) }
        return nil
    }

    /// A number under the first of some names of a form that has one; it is noted where they say something else alone.
    mutating func number(_ names: String..., in parameters: FormParameters) -> Double? {
        if let number = parameters.number(names) { return number }
        if let name = parameters.unreadable(names) { unread.append(name) }
        return nil
    }

    /// The point, or why it is none.
    func point(from format: some SenderFormat) -> Result<ReceivedPoint, PointProblem> {
        guard let latitude, let longitude else {
            return .failure(PointProblem(.incomplete, "expected a latitude and a longitude"))
        }
        let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        guard coordinate.isValid else {
            return .failure(
                PointProblem(.unusable, "expected a latitude within ±90 and a longitude within ±180 degrees"))
        }
        guard !coordinate.isNullIsland else {
            return .failure(PointProblem(.unusable, "expected a position; 0, 0 is what a receiver without one says"))
        }
        guard let time else {
            return .failure(
                PointProblem(.incomplete, "expected a time: RFC 3339, or seconds or milliseconds since 1970"))
        }
        guard !time.isOfUnsetClock else {
            return .failure(PointProblem(.unusable, "expected a date; a clock that was not set says this one"))
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
            course: course.flatMap { $0 < 0 ? nil : $0 }, courseAccuracy: courseAccuracy,
            horizontalDilution: horizontalDilution.map { Float($0) },
            satellitesUsed: satellites.flatMap { UInt8(exactly: $0) }, activity: activity,
            flags: isSimulated ? .simulated : [])
    }

    /// Whether the altitude means something.
    ///
    /// On a phone a negative vertical accuracy says that the altitude is not valid. Our own sink writes it for an accuracy that
    /// is not known, and an altitude of 0 beside it for one that is not known either. In a zone of Wi-Fi, Overland writes -1.
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
