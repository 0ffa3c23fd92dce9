internal import TrackEngine

/// The positions of the fields of an NMEA 0183 sentence in its line; the fields themselves are not copied.
///
/// One pass over the line finds the `$`, computes the checksum and marks the commas. The text before the `$` counts
/// as a tag block (`\s:gps1*7F\`) or a logger's time stamp and is skipped.
struct NMEASentence {
    /// The reason why a line is not a sentence.
    enum Problem {
        /// The line contains no beginning of a sentence.
        case notASentence
        /// The line is AIS, which begins with `!` and has no data about this receiver.
        case encapsulated
        /// The checksum in the line differs from that of the characters.
        case checksum(given: UInt8, expected: UInt8)
        /// The `*` is not followed by two hexadecimal digits.
        case unreadableChecksum
    }

    /// The largest number of marked fields; GSA, the longest supported sentence, has 19 including its address.
    private static let maximumFields = 24

    private var commas = InlineArray<24, UInt16>(repeating: 0)
    private var commaCount = 0
    private var start = 0
    private var end = 0
    /// The reason why this is not a sentence; `nil` for a valid one.
    private(set) var defect: Problem?
    /// The offset in the line after the sentence.
    private(set) var next: Int
    /// Whether another sentence began in the line before this one and was cut off.
    private(set) var hasCutPredecessor = false

    /// Finds the first sentence at or after an offset in a line of at most 65 535 bytes.
    @inline(__always)
    init(_ line: Span<UInt8>, from offset: Int = 0) {
        var sum: UInt8 = 0
        var begun = false
        var position = offset
        next = line.count
        while position < line.count {
            let byte = line[position]
            if byte == UInt8(ascii: "$") {
                hasCutPredecessor = begun
                begun = true
                start = position + 1
                commaCount = 0
                sum = 0
            } else if byte == UInt8(ascii: "*"), begun {
                break
            } else {
                if byte == UInt8(ascii: ","), begun { markComma(position) }
                sum ^= byte
            }
            position += 1
        }
        guard begun else {
            defect = line.count > 0 && line[0] == UInt8(ascii: "!") ? .encapsulated : .notASentence
            return
        }
        end = position
        guard position < line.count else { return }
        next = position + 1
        defect = Self.defect(line, at: next, sum)
    }

    @inline(__always)
    private mutating func markComma(_ position: Int) {
        guard commaCount < Self.maximumFields else { return }
        commas[commaCount] = UInt16(truncatingIfNeeded: position)
        commaCount += 1
    }

    @inline(__always)
    private static func defect(_ line: Span<UInt8>, at offset: Int, _ sum: UInt8) -> Problem? {
        guard offset + 1 < line.count, let high = line[offset].hexadecimalDigit,
            let low = line[offset + 1].hexadecimalDigit
        else { return .unreadableChecksum }
        let given = high << 4 | low
        return given == sum ? nil : .checksum(given: given, expected: sum)
    }

    /// The number of fields after the address.
    var fieldCount: Int { commaCount }

    /// The range of a field: 0 is the address (`GPGGA`), 1 the first field; empty for a missing field.
    @inline(__always)
    func field(_ index: Int) -> Range<Int> {
        guard index <= commaCount else { return end..<end }
        let lower = index == 0 ? start : Int(commas[index - 1]) + 1
        let upper = index < commaCount ? Int(commas[index]) : lastFieldEnd(from: lower)
        return lower..<upper
    }

    @inline(__always)
    private func lastFieldEnd(from lower: Int) -> Int {
        // After the last marked field, the rest of the sentence is not a field.
        commaCount < Self.maximumFields ? max(end, lower) : lower
    }
}
