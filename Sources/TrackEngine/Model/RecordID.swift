/// The 128-bit identifier of a record, printed as an upper-case UUID.
///
/// It is computed from the record's content (device, source, fix, cause), not drawn at random. A file replayed twice,
/// or a fix offered again after a crash, gets the same id, so receivers can distinguish a repetition from a new
/// position.
public struct RecordID: RawRepresentable, Sendable, Hashable, BitwiseCopyable {
    /// The 128 bits, most significant first in the printed form.
    public let rawValue: UInt128

    /// Creates an id from its bits.
    public init(rawValue: UInt128) { self.rawValue = rawValue }

    /// Creates the id of a fix of a device.
    public init(device: DeviceID, source: SourceID, fix: Fix, cause: RecordCause) {
        self.init(FNVHash128(device, source), fix, cause)
    }

    /// Creates the id of a fix from the hash of its device and source.
    init(_ track: FNVHash128, _ fix: Fix, _ cause: RecordCause) {
        var hash = track
        hash.combine(fix)
        hash.combine(UInt64(cause.rawValue))
        self.init(rawValue: hash.value.withUUIDVersion8)
    }

    /// Creates the id of an event found at a fix of a device. Several events at one fix have different ids.
    public init(device: DeviceID, source: SourceID, fix: Fix, content: RecordContent) {
        var hash = FNVHash128(device, source)
        hash.combine(fix)
        hash.combine(byte: content.kind.rawValue)
        switch content {
        case .location, .heartbeat, .power: break
        case .visit(let visit):
            hash.combine(UInt64(truncatingIfNeeded: visit.id.rawValue))
            hash.combine(byte: visit.departure == nil ? 0 : 1)
        case .trip(let trip):
            hash.combine(UInt64(truncatingIfNeeded: trip.id.rawValue))
            hash.combine(byte: trip.end == nil ? 0 : 1)
        case .transition(let transition):
            hash.combine(transition.place.id)
            hash.combine(byte: transition.event.rawValue)
        case .action(let action): hash.combine(byte: action.rawValue)
        }
        self.init(rawValue: hash.value.withUUIDVersion8)
    }

    /// The sixteen bytes, most significant first.
    public var bytes: [UInt8] {
        withUnsafeBytes(of: rawValue.bigEndian) { Array($0) }
    }

    /// Creates an id from sixteen bytes, most significant first; `nil` for any other number of bytes.
    @inlinable
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        self.init(rawValue: bytes.reduce(0) { $0 << 8 | UInt128($1) })
    }
}

extension RecordID: CustomStringConvertible, LosslessStringConvertible {
    /// The upper-case UUID, 36 characters.
    public var description: String {
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { text.append(UInt8(ascii: "-")) }
            text.append(Self.hexadecimal[Int(byte >> 4)])
            text.append(Self.hexadecimal[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads a UUID in either case; `nil` for any other text.
    public init?(_ description: String) {
        let groups = description.split(separator: "-", omittingEmptySubsequences: false)
        guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12] else { return nil }
        let digits = groups.joined()
        guard digits.utf8.allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }),
            let value = UInt128(digits, radix: 16)
        else { return nil }
        self.init(rawValue: value)
    }

    private static let hexadecimal = Array("0123456789ABCDEF".utf8)
}

/// The 128-bit FNV-1a hash (Fowler, Noll, Vo; RFC 9923): the same on every machine and in every release.
struct FNVHash128 {
    private(set) var value: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d

    init() {}

    /// The hash of a track: its device and its source.
    init(_ device: DeviceID, _ source: SourceID) {
        combine(device.rawValue)
        combine(source.rawValue)
    }

    mutating func combine(_ fix: Fix) {
        combine(UInt64(bitPattern: fix.time.nanosecondsSince1970))
        combine(fix.coordinate.latitude.bitPattern)
        combine(fix.coordinate.longitude.bitPattern)
    }

    mutating func combine(byte: UInt8) {
        value = (value ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013b
    }

    /// Adds the text's bytes, ended by one that UTF-8 does not contain, so that "ab" + "c" differs from "a" + "bc".
    mutating func combine(_ text: String) {
        for byte in text.utf8 { combine(byte: byte) }
        combine(byte: 0xff)
    }

    mutating func combine(_ number: UInt64) {
        for shift in stride(from: 56, through: 0, by: -8) { combine(byte: UInt8(truncatingIfNeeded: number >> shift)) }
    }
}

extension UInt128 {
    /// The same bits as a UUID of version 8, "custom" (RFC 9562 section 5.8).
    var withUUIDVersion8: UInt128 {
        let version: UInt128 = 0xf << 76
        let variant: UInt128 = 0b11 << 62
        return self & ~version & ~variant | 8 << 76 | 0b10 << 62
    }
}
