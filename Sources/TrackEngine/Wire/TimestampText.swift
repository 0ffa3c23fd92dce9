extension Timestamp {
    /// Reads RFC 3339; the form of gpsd and most files (`2026-03-01T10:00:00.120Z`) without any allocation.
    package init?(text bytes: Span<UInt8>) {
        if let quick = Self.inUTC(bytes) {
            self = quick
        } else {
            self.init(rfc3339Bytes: bytes.copied(0..<bytes.count)[...])
        }
    }

    private static func inUTC(_ bytes: Span<UInt8>) -> Timestamp? {
        guard bytes.count >= 20, bytes.count <= 30, bytes[bytes.count - 1] == UInt8(ascii: "Z"),
            bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"), bytes[10] == UInt8(ascii: "T"),
            bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
            let century = twoDigits(bytes, 0), let yearOfCentury = twoDigits(bytes, 2),
            let month = twoDigits(bytes, 5), let day = twoDigits(bytes, 8), let hour = twoDigits(bytes, 11),
            let minute = twoDigits(bytes, 14), let second = twoDigits(bytes, 17),
            let fraction = fraction(bytes, 19..<(bytes.count - 1)),
            let midnight = CivilDate(checkedYear: century * 100 + yearOfCentury, month: month, day: day)?.daysSince1970,
            hour < 24, minute < 60, second <= 60
        else { return nil }
        return Timestamp(
            exactSecondsSince1970: midnight * 86_400 + hour * 3600 + minute * 60 + second, nanoseconds: fraction)
    }

    private static func fraction(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int64? {
        guard !range.isEmpty else { return 0 }
        guard range.count > 1, bytes[range.lowerBound] == UInt8(ascii: ".") else { return nil }
        var value: Int64 = 0
        for index in range.dropFirst() {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            value = value * 10 + Int64(digit)
        }
        return value * Int64(NumberReader.power(of: 10 - range.count))
    }

    /// Returns two ASCII digits as a number.
    @inlinable
    @inline(__always)
    package static func twoDigits(_ bytes: Span<UInt8>, _ index: Int) -> Int64? {
        let tens = bytes[index] &- UInt8(ascii: "0")
        let ones = bytes[index + 1] &- UInt8(ascii: "0")
        return tens < 10 && ones < 10 ? Int64(tens) * 10 + Int64(ones) : nil
    }
}

extension CivilDate {
    /// Creates an existing day; `nil` for the 30th of February.
    package init?(checkedYear year: Int64, month: Int64, day: Int64) {
        guard (1...12).contains(month), day >= 1, day <= CivilDate.days(inMonth: month, of: year) else { return nil }
        self.init(year: year, month: month, day: day)
    }
}
