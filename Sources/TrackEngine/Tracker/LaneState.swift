/// What a lane knows beyond its checkpoint, so that the next run goes on as if there had been no restart. A store keeps it as
/// ``SourceCheckpoint/detectorState``.
struct LaneState: Sendable {
    /// The last fix that the detector was shown; absent where it was shown none.
    var last: Timestamp?
    /// The latest time of a fix that it was shown since the last record.
    var highest: Timestamp?
    /// Whether nothing is to be known of the object since then.
    var isInterrupted = false
    /// What is hidden from the detector, as ``PositionCover/signature``.
    var cover: UInt64
    /// How far the object has travelled at the last fix that was processed; a state of an earlier release does not say it.
    var odometer: Odometer?
    /// Where a pause began that was told and whose end was not.
    var paused: Fix?
    /// The power supply that was known last.
    var power: HostStatus.BatteryState?
    /// The state of the detector, in a form of its own; empty where there is none.
    var detector: [UInt8] = []

    init(cover: UInt64) { self.cover = cover }

    /// Stands where the first form of the state has a time.
    private static let mark = Timestamp(nanosecondsSince1970: .max)
    private static let version: UInt8 = 2
    private static let noTime = Timestamp(nanosecondsSince1970: .min)

    var bytes: [UInt8] {
        var writer = StateWriter()
        writer.write(Self.mark)
        writer.write(Self.version)
        writer.write(cover)
        writer.write(last ?? Self.noTime)
        writer.write(highest ?? Self.noTime)
        writer.write(isPresent: isInterrupted)
        writer.write(isPresent: odometer != nil)
        odometer?.write(to: &writer)
        writer.write(isPresent: paused != nil)
        paused?.write(to: &writer)
        writer.write(power?.rawValue ?? .max)
        writer.write(detector)
        return writer.bytes
    }

    /// Reads a state; the first form had the time of the last fix, the cover and what the detector knew.
    init?(_ bytes: [UInt8]) {
        var reader = StateReader(bytes)
        guard let first = reader.time() else { return nil }
        guard first == Self.mark else {
            guard let cover = reader.number(UInt64.self) else { return nil }
            self.cover = cover
            (last, highest) = (Self.known(first), Self.known(first))
            detector = reader.remaining()
            return
        }
        guard reader.number(UInt8.self) == Self.version, let cover = reader.number(UInt64.self),
            let last = reader.time(), let highest = reader.time(), let isInterrupted = reader.isPresent(),
            let odometer = reader.optional({ Odometer(from: &$0) }), let paused = reader.optional({ Fix(from: &$0) }),
            let power = reader.number(UInt8.self)
        else { return nil }
        (self.cover, self.isInterrupted, self.odometer) = (cover, isInterrupted, odometer)
        (self.last, self.highest, self.paused) = (Self.known(last), Self.known(highest), paused)
        self.power = HostStatus.BatteryState(rawValue: power)
        detector = reader.remaining()
    }

    private static func known(_ time: Timestamp) -> Timestamp? { time == noTime ? nil : time }
}

extension SourceCheckpoint {
    /// A checkpoint that keeps the state of a lane whose pipeline begins afresh: its place is none that passes the gates.
    static func withoutPlace(of source: SourceID, device: DeviceID) -> SourceCheckpoint {
        let fix = Fix(
            time: Timestamp(nanosecondsSince1970: 0), coordinate: Coordinate(latitude: 0, longitude: 0))
        let draft = RecordDraft(
            id: RecordID(device: device, source: source, fix: fix, cause: .first), fix: fix, isMoving: false,
            cause: .first, source: source)
        return SourceCheckpoint(source: source, last: draft, lastMovement: fix.time, isStandby: false)
    }

    /// Whether a pipeline can go on there.
    var hasPlace: Bool { !last.fix.coordinate.isNullIsland }
}
