extension Timestamp {
    /// The number of fraction digits in a written time. The rest is cut, never rounded, so a time is never in the
    /// future.
    public enum Precision: Sendable, Hashable {
        /// `2026-03-01T10:00:00Z`
        case seconds
        /// `2026-03-01T10:00:00.120Z`
        case milliseconds
        /// `2026-03-01T10:00:00.120000000Z`, which reads back to the same timestamp
        case nanoseconds

        var digits: Int {
            switch self {
            case .seconds: 0
            case .milliseconds: 3
            case .nanoseconds: 9
            }
        }
    }

    /// Returns the time in the profile of RFC 3339 that every receiver reads: UTC, upper-case `T` and `Z`.
    public func rfc3339(_ precision: Precision = .milliseconds) -> String {
        var bytes: [UInt8] = []
        appendRFC3339(to: &bytes, precision)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends ``rfc3339(_:)`` to a buffer, for writers that build bytes.
    package func appendRFC3339(to bytes: inout [UInt8], _ precision: Precision) {
        let seconds = secondsSince1970
        let day = seconds.flooredDivision(by: 86_400)
        let date = CivilDate(daysSince1970: day)
        let secondOfDay = seconds - day * 86_400
        bytes.appendDecimal(date.year, digits: 4)
        bytes.append(UInt8(ascii: "-"))
        bytes.appendDecimal(date.month, digits: 2)
        bytes.append(UInt8(ascii: "-"))
        bytes.appendDecimal(date.day, digits: 2)
        bytes.append(UInt8(ascii: "T"))
        bytes.appendDecimal(secondOfDay / 3600, digits: 2)
        bytes.append(UInt8(ascii: ":"))
        bytes.appendDecimal(secondOfDay / 60 % 60, digits: 2)
        bytes.append(UInt8(ascii: ":"))
        bytes.appendDecimal(secondOfDay % 60, digits: 2)
        if precision.digits > 0 {
            var divisor: Int64 = 1
            for _ in precision.digits..<9 { divisor *= 10 }
            bytes.append(UInt8(ascii: "."))
            bytes.appendDecimal(nanosecondsInSecond / divisor, digits: precision.digits)
        }
        bytes.append(UInt8(ascii: "Z"))
    }

    /// Reads a time in the form of RFC 3339 section 5.6: any number of fraction digits (cut after nine), `Z` or
    /// `±hh:mm`.
    ///
    /// Also accepted, because trackers write them: a lower-case `t` or `z`, a space for the `T`, and an offset without
    /// a colon. A leap second (`:60`) is the first moment of the next minute. Any other text, including a time without
    /// an offset or beyond the range of a timestamp, is `nil`.
    public init?(rfc3339 text: some StringProtocol) {
        self.init(rfc3339Bytes: Array(text.utf8)[...])
    }

    /// As ``init(rfc3339:)``, from ASCII bytes.
    package init?(rfc3339Bytes bytes: ArraySlice<UInt8>) {
        guard bytes.count <= 64 else { return nil }
        var scanner = DigitReader(bytes)
        guard let year = scanner.digits(4), scanner.skip("-"),
            let month = scanner.digits(2), (1...12).contains(month), scanner.skip("-"),
            let day = scanner.digits(2), (1...CivilDate.days(inMonth: month, of: year)).contains(day),
            scanner.skip("T") || scanner.skip("t") || scanner.skip(" "),
            let hour = scanner.digits(2), hour < 24, scanner.skip(":"),
            let minute = scanner.digits(2), minute < 60, scanner.skip(":"),
            let second = scanner.digits(2), second <= 60
        else { return nil }
        var nanoseconds: Int64 = 0
        if scanner.skip(".") {
            guard let fraction = scanner.fractionInNanoseconds() else { return nil }
            nanoseconds = fraction
        }
        guard let offset = scanner.offsetInSeconds(), scanner.isAtEnd else { return nil }
        let days = CivilDate(year: year, month: month, day: day).daysSince1970
        self.init(
            exactSecondsSince1970: days * 86_400 + hour * 3600 + minute * 60 + second - offset,
            nanoseconds: nanoseconds)
    }
}

extension Timestamp: CustomStringConvertible, LosslessStringConvertible {
    /// The time as RFC 3339 with nanoseconds.
    public var description: String { rfc3339(.nanoseconds) }

    /// Reads a time in the form of RFC 3339; see ``init(rfc3339:)``.
    public init?(_ description: String) {
        self.init(rfc3339: description)
    }
}

/// Reads fixed-width numbers from ASCII, one field after the other.
private struct DigitReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard let first = rest.first, first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    mutating func digits(_ count: Int) -> Int64? {
        guard rest.count >= count else { return nil }
        var value: Int64 = 0
        for byte in rest.prefix(count) {
            guard let digit = byte.decimalDigit else { return nil }
            value = value * 10 + digit
        }
        rest.removeFirst(count)
        return value
    }

    mutating func fractionInNanoseconds() -> Int64? {
        var value: Int64 = 0
        var scale: Int64 = 100_000_000
        var seen = false
        while let digit = rest.first?.decimalDigit {
            value += digit * scale
            scale /= 10
            seen = true
            rest.removeFirst()
        }
        return seen ? value : nil
    }

    mutating func offsetInSeconds() -> Int64? {
        if skip("Z") || skip("z") { return 0 }
        let sign: Int64
        if skip("+") {
            sign = 1
        } else if skip("-") {
            sign = -1
        } else {
            return nil
        }
        guard let hours = digits(2), hours < 24 else { return nil }
        _ = skip(":")
        guard let minutes = digits(2), minutes < 60 else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }
}

extension UInt8 {
    /// The value of an ASCII digit.
    var decimalDigit: Int64? {
        let digit = self &- UInt8(ascii: "0")
        return digit < 10 ? Int64(digit) : nil
    }
}

extension Int64 {
    func flooredDivision(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
