import TrackEngine
import TrackEngineHistory

/// What a sender says of one point, in the engine's units, before it is looked at as a whole.
///
/// Senders write -1 for numbers that they do not know; `Fix` drops those that cannot be negative.
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

    /// The point, or why it is none.
    func point(from format: some SenderFormat) -> Result<ReceivedPoint, PointProblem> {
        guard let latitude, let longitude else { return .failure(PointProblem("expected a latitude and a longitude")) }
        let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        guard coordinate.isValid else {
            return .failure(PointProblem("expected a latitude within ±90 and a longitude within ±180 degrees"))
        }
        guard !coordinate.isNullIsland else {
            return .failure(PointProblem("expected a position; 0, 0 is what a receiver without one says"))
        }
        guard let time else {
            return .failure(PointProblem("expected a time: RFC 3339, or seconds or milliseconds since 1970"))
        }
        let point = HistoryPoint(
            fix: fix(time, coordinate), isMoving: isMoving, host: host, source: SourceID(rawValue: format.name),
            senderID: senderID)
        return .success(ReceivedPoint(device: device, point: point))
    }

    /// Overland and CalmGeo write an altitude of 0 beside a negative vertical accuracy where they know none.
    private func fix(_ time: Timestamp, _ coordinate: Coordinate) -> Fix {
        let hasNoAltitude = altitude == 0 && verticalAccuracy.map { $0 < 0 } == true
        return Fix(
            time: time, coordinate: coordinate, altitude: hasNoAltitude ? nil : altitude,
            ellipsoidalAltitude: ellipsoidalAltitude, horizontalAccuracy: horizontalAccuracy,
            verticalAccuracy: verticalAccuracy, speed: speed, speedAccuracy: speedAccuracy,
            course: course.flatMap { $0 < 0 ? nil : $0 }, courseAccuracy: courseAccuracy,
            horizontalDilution: horizontalDilution.map { Float($0) },
            satellitesUsed: satellites.flatMap { UInt8(exactly: $0) }, activity: activity,
            flags: isSimulated ? .simulated : [])
    }

    private var host: HostStatus? {
        let status = HostStatus(batteryLevel: batteryLevel, batteryState: batteryState ?? .unknown)
        return status.batteryLevel == nil && status.batteryState == .unknown ? nil : status
    }
}
