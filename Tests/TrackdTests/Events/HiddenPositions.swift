import Foundation
import TrackEngine

/// Looks for positions of the hidden areas of a ``SimulatedDay`` in bytes, written as a text or as a store has them.
struct HiddenPositions {
    /// Longitudes as a store has them; where a fix was is told by that alone.
    private let exact: Set<UInt64>

    init(_ positions: [Coordinate]) {
        exact = Set(positions.map(\.longitude.bitPattern))
    }

    /// What there is of them in a text or a database: the first one, with its place.
    func first(in bytes: [UInt8]) -> String? {
        bytes.withUnsafeBytes { bytes in
            for offset in 0..<bytes.count {
                if bytes[offset] == UInt8(ascii: "."), let text = Self.text(at: offset, in: bytes) {
                    return "\(text) at \(offset)"
                }
                guard offset + 8 <= bytes.count, bytes[offset + 7] == 0x40, bytes[offset + 6] == 0x24 else { continue }
                let pattern = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
                if exact.contains(pattern) || Self.isPair(at: offset, pattern, in: bytes) {
                    return "\(Double(bitPattern: pattern)) at \(offset)"
                }
            }
            return nil
        }
    }

    /// Whether a number of degrees with three decimals, which are some 65 m, is within a hidden area.
    private static func isHidden(_ thousandths: Int) -> Bool {
        (10_149...10_155).contains(thousandths) || (10_181...10_184).contains(thousandths)
    }

    /// The text of a hidden longitude around its decimal point.
    private static func text(at point: Int, in bytes: UnsafeRawBufferPointer) -> String? {
        guard point >= 2, point + 3 < bytes.count, bytes[point - 2] == UInt8(ascii: "1"),
            bytes[point - 1] == UInt8(ascii: "0"), point == 2 || !isDigit(bytes[point - 3]),
            !(point >= 4 && bytes[point - 3] == UInt8(ascii: ":") && isDigit(bytes[point - 4]))  // 19:12:10.153
        else { return nil }
        let text = String(decoding: bytes[point - 2...point + 3], as: UTF8.self)
        guard let decimals = Int(text.dropFirst(3)) else { return nil }
        return isHidden(10_000 + decimals) ? text : nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// Whether a hidden longitude stands behind a latitude.
    private static func isPair(at offset: Int, _ pattern: UInt64, in bytes: UnsafeRawBufferPointer) -> Bool {
        guard offset >= 8, isHidden(Int((Double(bitPattern: pattern) * 1000).rounded(.down))) else { return false }
        let before = bytes.loadUnaligned(fromByteOffset: offset - 8, as: UInt64.self).littleEndian
        return (54.0...55.0).contains(Double(bitPattern: before))
    }
}
