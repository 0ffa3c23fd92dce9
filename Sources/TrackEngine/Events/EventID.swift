/// Names a visit or a trip; a record that completes one carries the same id as the record that announced it.
///
/// It is computed from the device and the event's beginning, not drawn by chance: detection run again over the same track
/// gives the same ids.
public struct EventID: RawRepresentable, Sendable, Hashable, BitwiseCopyable, CustomStringConvertible {
    /// The 128 bits, most significant first in the printed form.
    public let rawValue: UInt128

    /// An id from its bits.
    public init(rawValue: UInt128) { self.rawValue = rawValue }

    /// The id of what a device began at a moment.
    ///
    /// - Parameters:
    ///   - device: whose event it is.
    ///   - kind: ``RecordKind/visit`` or ``RecordKind/trip``.
    ///   - beginning: the time of arrival or of the start.
    public init(device: DeviceID, kind: RecordKind, beginning: Timestamp) {
        var hash = FowlerNollVo128()
        hash.combine(device.rawValue)
        hash.combine(byte: kind.rawValue)
        hash.combine(UInt64(bitPattern: beginning.nanosecondsSince1970))
        rawValue = hash.value.withUUIDVersion8
    }

    /// The upper-case UUID, 36 characters.
    public var description: String { RecordID(rawValue: rawValue).description }
}
