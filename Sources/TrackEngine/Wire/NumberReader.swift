/// Reads decimal numbers from ASCII without strings.
///
/// The digits are collected as an integer. If the result is exact in a `Double` (below 2^53, at most 22 decimals), one
/// division rounds correctly (W. Clinger, "How to Read Floating Point Numbers Accurately", 1990, section 5). Longer
/// numbers and exponents, which are rare in position files, use the standard library's slow, exact conversion.
@usableFromInline
package struct NumberReader {
    /// The digits as one integer, without the point.
    @usableFromInline package var digits: UInt64
    /// The number of digits after the point.
    @usableFromInline package var decimals: Int
    /// 10 to the power of ``decimals``.
    @usableFromInline package var scale: UInt64
    /// Whether the number begins with a minus sign.
    @usableFromInline package var isNegative: Bool
    /// Whether `digits` holds every digit.
    @usableFromInline package var isExact: Bool
    /// Whether the number contains a point.
    @usableFromInline package var hasPoint: Bool

    /// Reads an optional sign, digits and an optional point with digits; `nil` if there is no digit.
    ///
    /// `offset` moves to the end of the number, or does not move if there is none.
    @inlinable
    @inline(__always)
    package init?(at offset: inout Int, in bytes: Span<UInt8>) {
        var position = offset
        let end = bytes.count
        guard position < end else { return nil }
        isNegative = false
        hasPoint = false
        decimals = 0
        scale = 1
        if bytes[position] == UInt8(ascii: "-") || bytes[position] == UInt8(ascii: "+") {
            isNegative = bytes[position] == UInt8(ascii: "-")
            position += 1
        }
        var value: UInt64 = 0
        let start = position
        while position < end, let digit = bytes[position].digit {
            value = value &* 10 &+ digit  // more than 18 digits overflow harmlessly: they are marked below
            position += 1
        }
        var count = position - start
        if position < end, bytes[position] == UInt8(ascii: ".") {
            position += 1
            hasPoint = true
            let start = position
            var power: UInt64 = 1
            while position < end, let digit = bytes[position].digit {
                value = value &* 10 &+ digit
                power &*= 10
                position += 1
            }
            decimals = position - start
            scale = power
            count += decimals
        }
        guard count > 0 else { return nil }
        digits = value
        isExact = count <= 18
        offset = position
    }

    /// The value, correctly rounded; `nil` if the digits do not fit exact arithmetic.
    @inlinable
    @inline(__always)
    package var value: Double? {
        guard isExact, digits < 1 << 53 else { return nil }
        // Both are below 2^63, and a signed number is converted in one instruction.
        let whole = Double(Int64(bitPattern: digits))
        let magnitude = decimals == 0 ? whole : whole / Double(Int64(bitPattern: scale))
        return isNegative ? -magnitude : magnitude
    }

    /// Returns 10 to a power from 0 to 18.
    @inlinable
    @inline(__always)
    package static func power(of exponent: Int) -> UInt64 {
        var power: UInt64 = 1
        for _ in 0..<exponent { power &*= 10 }
        return power
    }
}

extension Double {
    /// Reads a number in the form of JSON, CSV and XML (sign, digits, point, exponent) and moves `offset` to its end.
    ///
    /// `nil`, with `offset` unchanged, if there is no finite number.
    @inlinable
    @inline(__always)
    package init?(decimalAt offset: inout Int, in bytes: Span<UInt8>) {
        var position = offset
        guard let number = NumberReader(at: &position, in: bytes) else { return nil }
        let hasExponent = position < bytes.count && bytes[position] | 0x20 == UInt8(ascii: "e")
        if !hasExponent, let value = number.value {
            offset = position
            self = value
            return
        }
        guard let value = Self.slowly(at: offset, exponentAt: &position, in: bytes) else { return nil }
        offset = position
        self = value
    }

    /// Reads a number that fills all bytes; `nil` for any other text.
    package init?(decimal bytes: Span<UInt8>) {
        var offset = 0
        guard let value = Double(decimalAt: &offset, in: bytes), offset == bytes.count else { return nil }
        self = value
    }

    @usableFromInline
    @inline(never)
    static func slowly(at start: Int, exponentAt end: inout Int, in bytes: Span<UInt8>) -> Double? {
        if end < bytes.count, bytes[end] | 0x20 == UInt8(ascii: "e") {
            end += 1
            if end < bytes.count, bytes[end] == UInt8(ascii: "-") || bytes[end] == UInt8(ascii: "+") { end += 1 }
            while end < bytes.count, bytes[end].digit != nil { end += 1 }
        }
        guard end - start <= 400, let value = Double(bytes.text(in: start..<end)), value.isFinite else { return nil }
        return value
    }
}

extension UInt8 {
    /// The value of an ASCII digit.
    @inlinable
    @inline(__always)
    var digit: UInt64? {
        let value = self &- UInt8(ascii: "0")
        return value < 10 ? UInt64(value) : nil
    }
}
