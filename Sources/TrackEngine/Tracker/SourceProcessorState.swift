/// The state of a track beyond its checkpoint, which lets the next run continue as if there had been no restart. A store
/// saves it as ``SourceCheckpoint/detectorState``.
struct SourceProcessorState: Sendable {
    /// The time of the last fix that the detector observed; absent if it observed none.
    var last: Timestamp?
    /// The latest time of a fix that the detector observed since the last record.
    var highest: Timestamp?
    /// Whether the object's movements since then must stay unknown.
    var isInterrupted = false
    /// The signature of the hidden areas: ``PrivacyFilter/signature``.
    var signature: UInt64
    /// The odometer at the last fix that was processed; absent in a state of an earlier release.
    var odometer: Odometer?
    /// The position of the last recorded pause while its end is not recorded.
    var paused: Fix?
    /// The last known state of the power supply.
    var power: HostStatus.BatteryState?
    /// The state of the detector, in the detector's own format; empty without a detector.
    var detector: [UInt8] = []

    init(signature: UInt64) { self.signature = signature }

    /// Marks the second format. The first format has a time here.
    private static let mark = Timestamp(nanosecondsSince1970: .max)
    private static let version: UInt8 = 2
    private static let noTime = Timestamp(nanosecondsSince1970: .min)

    var bytes: [UInt8] {
        var writer = StateWriter()
        writer.write(Self.mark)
        writer.write(Self.version)
        writer.write(signature)
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

    /// Reads a state. The first format had the time of the last fix, the signature of the privacy filter and the detector's
    /// state.
    init?(_ bytes: [UInt8]) {
        var reader = StateReader(bytes)
        guard let first = reader.time() else { return nil }
        guard first == Self.mark else {
            guard let signature = reader.number(UInt64.self) else { return nil }
            self.signature = signature
            (last, highest) = (Self.known(first), Self.known(first))
            detector = reader.remaining()
            return
        }
        guard reader.number(UInt8.self) == Self.version, let signature = reader.number(UInt64.self),
            let last = reader.time(), let highest = reader.time(), let isInterrupted = reader.isPresent(),
            let odometer = reader.optional({ Odometer(from: &$0) }), let paused = reader.optional({ Fix(from: &$0) }),
            let power = reader.number(UInt8.self)
        else { return nil }
        (self.signature, self.isInterrupted, self.odometer) = (signature, isInterrupted, odometer)
        (self.last, self.highest, self.paused) = (Self.known(last), Self.known(highest), paused)
        self.power = HostStatus.BatteryState(rawValue: power)
        detector = reader.remaining()
    }

    private static func known(_ time: Timestamp) -> Timestamp? { time == noTime ? nil : time }
}

extension SourceCheckpoint {
    /// Returns a checkpoint for the state of a track whose pipeline begins afresh. Its position is one that never passes
    /// the gates.
    static func withoutPlace(of source: SourceID, device: DeviceID) -> SourceCheckpoint {
        let fix = Fix(
            time: Timestamp(nanosecondsSince1970: 0), coordinate: Coordinate(latitude: 0, longitude: 0))
        let draft = RecordDraft(
            id: RecordID(device: device, source: source, fix: fix, cause: .first), fix: fix, isMoving: false,
            cause: .first, source: source)
        return SourceCheckpoint(source: source, last: draft, lastMovement: fix.time, isStandby: false)
    }

    /// Whether a pipeline can continue at the checkpoint's position.
    var hasPlace: Bool { !last.fix.coordinate.isNullIsland }
}
