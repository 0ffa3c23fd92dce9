/// Writes JSON (RFC 8259) directly into bytes: no model objects, no dictionaries, fixed decimals.
///
/// For sinks that write many records. Braces, commas and names of members are written with ``raw(_:)-(StaticString)``,
/// which is not checked: the writer does not detect whether calls form a document. Test your encoder against a parser,
/// as ours are.
///
/// The article <doc:WritingASink> has an example.
///
/// A writer that is reused after ``removeAll()`` allocates no memory for each record.
public struct JSONWriter: Sendable {
    /// The bytes written so far.
    public private(set) var bytes: [UInt8] = []

    /// Creates an empty writer.
    ///
    /// - Parameter capacity: the number of bytes to reserve; the buffer grows when needed.
    public init(capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    /// Empties the writer and keeps its memory.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    /// Appends a piece of JSON unchanged.
    public mutating func raw(_ fragment: StaticString) {
        fragment.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    /// Appends bytes that are JSON already; for arrays, which other modules then append without generic code.
    public mutating func raw(_ fragment: [UInt8]) {
        bytes.append(contentsOf: fragment)
    }

    /// Appends bytes that are JSON already.
    public mutating func raw(_ fragment: some Sequence<UInt8>) {
        bytes.append(contentsOf: fragment)
    }

    /// Writes a string, escaping only the characters that RFC 8259 section 7 requires.
    public mutating func string(_ text: some StringProtocol) {
        bytes.append(UInt8(ascii: "\""))
        if text.utf8.withContiguousStorageIfAvailable({ escape($0) }) == nil {
            for byte in text.utf8 { escape(byte) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Copies the runs of bytes between those that are escaped.
    private mutating func escape(_ text: UnsafeBufferPointer<UInt8>) {
        var start = 0
        for (index, byte) in text.enumerated()
        where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
            escape(byte)
            start = index + 1
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): raw("\\\"")
        case UInt8(ascii: "\\"): raw("\\\\")
        case 0x0a: raw("\\n")
        case 0x0d: raw("\\r")
        case 0x09: raw("\\t")
        case 0..<0x20:
            raw("\\u00")
            bytes.append(Self.hexadecimal[Int(byte >> 4)])
            bytes.append(Self.hexadecimal[Int(byte & 15)])
        default: bytes.append(byte)
        }
    }

    /// Writes a whole number; one outside of `Int64` becomes the nearest within.
    @inlinable
    public mutating func integer(_ value: some BinaryInteger) {
        fixed(Int64(clamping: value), decimals: 0)
    }

    /// Writes a number with at most this many decimals (0 to 9), without trailing zeros: 3.40 is `3.4`, 3.00 is `3`.
    ///
    /// A value too large for fixed decimals (over 9·10⁹ with nine of them) is written in Swift's shortest form, and NaN
    /// or infinity, which JSON does not support, as `null`.
    public mutating func number(
        _ value: Double, decimals: Int, _ rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero
    ) {
        bytes.appendFixed(value, decimals: decimals, rule)
    }

    /// Writes `scaled` / 10 to the power of `decimals` (0 to 9) without trailing zeros: 340 with two decimals is `3.4`.
    public mutating func fixed(_ scaled: Int64, decimals: Int) {
        bytes.appendScaled(scaled, decimals: decimals)
    }

    /// Writes `true` or `false`.
    public mutating func boolean(_ value: Bool) {
        raw(value ? "true" : "false")
    }

    /// Writes a time as a string, in the form of ``Timestamp/rfc3339(_:)``.
    public mutating func time(_ time: Timestamp, _ precision: Timestamp.Precision) {
        bytes.append(UInt8(ascii: "\""))
        time.appendRFC3339(to: &bytes, precision)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a record's id as a string (an upper-case UUID), without the allocation of its description.
    public mutating func recordID(_ id: RecordID) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 38) { buffer in
            var rest = id.rawValue
            for place in stride(from: 36, through: 1, by: -1) {
                if place == 9 || place == 14 || place == 19 || place == 24 {
                    buffer[place] = UInt8(ascii: "-")
                } else {
                    let digit = UInt8(truncatingIfNeeded: rest) & 15
                    buffer[place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10
                    rest >>= 4
                }
            }
            (buffer[0], buffer[37]) = (UInt8(ascii: "\""), UInt8(ascii: "\""))
            bytes.append(contentsOf: buffer)
        }
    }

    private static let hexadecimal = Array("0123456789abcdef".utf8)
}

extension [UInt8] {
    /// Appends a non-negative number with leading zeros; a longer number keeps all its digits.
    package mutating func appendDecimal(_ value: Int64, digits: Int) {
        appendDigits(of: value.magnitude, atLeast: digits)
    }

    /// Appends a whole number with its sign.
    package mutating func appendInteger(_ value: Int64) {
        appendDigits(of: value.magnitude, isNegative: value < 0)
    }

    /// Appends digits. They are computed last to first, so the number is built on the stack and appended at once.
    ///
    /// - Parameters:
    ///   - value: the magnitude.
    ///   - digits: the minimum number of digits.
    ///   - decimals: the number of digits after the point.
    ///   - isNegative: whether a minus sign is written.
    private mutating func appendDigits(
        of value: UInt64, atLeast digits: Int = 1, decimals: Int = 0, isNegative: Bool = false
    ) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { buffer in
            var rest = value
            var start = buffer.count
            func put(_ byte: UInt8) {
                start -= 1
                buffer[start] = byte
            }
            func putDigit() {
                let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
                put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit))
                rest = quotient
            }
            if decimals > 0 {
                for _ in 0..<decimals { putDigit() }
                put(UInt8(ascii: "."))
            }
            let end = start
            repeat { putDigit() } while rest > 0 || end - start < digits && start > 1
            if isNegative { put(UInt8(ascii: "-")) }
            append(contentsOf: UnsafeBufferPointer(rebasing: buffer[start...]))
        }
    }

    /// Appends a number with at most `decimals` (0 to 9) decimals and no trailing zeros.
    ///
    /// A value too large for fixed decimals (over 9·10⁹ with nine of them) is written in Swift's shortest form, and a
    /// value that JSON does not support as `null`.
    package mutating func appendFixed(
        _ value: Double, decimals: Int, _ rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero
    ) {
        guard value.isFinite else { return append(contentsOf: "null".utf8) }
        let scale = Self.powersOfTen[Swift.min(Swift.max(decimals, 0), 9)]
        guard let scaled = Int64(exactly: (value * Double(scale)).rounded(rule)) else {
            return append(contentsOf: value.description.utf8)
        }
        appendScaled(scaled, decimals: decimals)
    }

    /// Appends `scaled` / 10 to the power of `decimals` (0 to 9) without trailing zeros.
    mutating func appendScaled(_ scaled: Int64, decimals: Int) {
        var (digits, places) = (scaled.magnitude, Swift.min(Swift.max(decimals, 0), 9))
        while places > 0 {
            let (quotient, digit) = digits.quotientAndRemainder(dividingBy: 10)
            guard digit == 0 else { break }
            (digits, places) = (quotient, places - 1)
        }
        appendDigits(of: digits, decimals: places, isNegative: scaled < 0)
    }

    private static let powersOfTen: [Int64] = [
        1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
    ]
}
