internal import TrackEngine

/// Where the fields of an NMEA 0183 sentence lie in its line; the fields themselves are not copied.
///
/// One pass over the line finds the `$`, sums the checksum and marks the commas. What stands before the `$` is taken for
/// a tag block (`\s:gps1*7F\`) or a logger's time stamp and passed over.
struct NMEASentence {
    /// Why a line is no sentence.
    enum Defect {
        /// Nothing in the line begins a sentence.
        case notASentence
        /// The line is AIS, which begins with `!` and says nothing of this receiver.
        case encapsulated
        /// The checksum that is given, and the one that the characters have.
        case checksum(given: UInt8, expected: UInt8)
        /// After the `*` there are no two hexadecimal digits.
        case unreadableChecksum
    }

    /// How many fields are looked at; GSA, the longest that counts, has 19 with its address.
    private static let maximumFields = 24

    private var commas = InlineArray<24, UInt16>(repeating: 0)
    private var commaCount = 0
    private var start = 0
    private var end = 0
    /// Why this is no sentence, where it is none.
    private(set) var defect: Defect?
    /// Where the line goes on behind it.
    private(set) var next: Int
    /// Whether another sentence began in the line before this one and was cut off.
    private(set) var hasCutPredecessor = false

    /// Finds the first sentence at or behind an offset in a line of at most 65 535 bytes.
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
    private static func defect(_ line: Span<UInt8>, at offset: Int, _ sum: UInt8) -> Defect? {
        guard offset + 1 < line.count, let high = line[offset].hexadecimalDigit,
            let low = line[offset + 1].hexadecimalDigit
        else { return .unreadableChecksum }
        let given = high << 4 | low
        return given == sum ? nil : .checksum(given: given, expected: sum)
    }

    /// How many fields follow the address.
    var fieldCount: Int { commaCount }

    /// Where a field lies: 0 is the address (`GPGGA`), 1 the first field; empty for a field that is not there.
    @inline(__always)
    func field(_ index: Int) -> Range<Int> {
        guard index <= commaCount else { return end..<end }
        let lower = index == 0 ? start : Int(commas[index - 1]) + 1
        let upper = index < commaCount ? Int(commas[index]) : lastFieldEnd(from: lower)
        return lower..<upper
    }

    @inline(__always)
    private func lastFieldEnd(from lower: Int) -> Int {
        // Beyond the last field that is marked, the rest of the sentence is no field.
        commaCount < Self.maximumFields ? max(end, lower) : lower
    }
}
