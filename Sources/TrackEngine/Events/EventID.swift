/// The identifier of a visit or a trip. A record that completes one has the same id as the record that announced it.
///
/// The id is computed from the device and the event's beginning, not drawn at random: repeated detection over the same
/// track gives the same ids.
public struct EventID: RawRepresentable, Sendable, Hashable, BitwiseCopyable, CustomStringConvertible {
    /// The 128 bits, most significant first in the printed form.
    public let rawValue: UInt128

    /// Creates an id from its bits.
    public init(rawValue: UInt128) { self.rawValue = rawValue }

    /// Creates the id of an event that a device began at a time.
    ///
    /// - Parameters:
    ///   - device: the device of the event.
    ///   - kind: ``RecordKind/visit`` or ``RecordKind/trip``.
    ///   - beginning: the time of arrival or of the start.
    public init(device: DeviceID, kind: RecordKind, beginning: Timestamp) {
        var hash = FNVHash128()
        hash.combine(device.rawValue)
        hash.combine(byte: kind.rawValue)
        hash.combine(UInt64(bitPattern: beginning.nanosecondsSince1970))
        rawValue = hash.value.withUUIDVersion8
    }

    /// The upper-case UUID, 36 characters.
    public var description: String { RecordID(rawValue: rawValue).description }
}
