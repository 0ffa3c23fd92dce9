internal import TrackEngine

/// Typed access to the fields of a sentence, together with its line.
///
/// Every reader returns `nil` for an empty field; the throwing ones throw for an invalid field.
extension NMEASentence {
    /// A field is not in the expected form.
    struct FieldError: Error {
        /// The expected form.
        let expectation: StaticString
    }

    /// The range of a field's text, without surrounding blanks.
    @inline(__always)
    func text(_ index: Int, in line: Span<UInt8>) -> Range<Int> {
        var range = field(index)
        while range.count > 0, line[range.lowerBound] == 0x20 { range = range.lowerBound + 1..<range.upperBound }
        while range.count > 0, line[range.upperBound - 1] == 0x20 { range = range.lowerBound..<range.upperBound - 1 }
        return range
    }

    /// The only character of a field.
    @inline(__always)
    func letter(_ index: Int, in line: Span<UInt8>) -> UInt8? {
        let range = text(index, in: line)
        return range.isEmpty ? nil : line[range.lowerBound]
    }

    /// A decimal number; `nil` also for any other text.
    @inline(__always)
    func number(_ index: Int, in line: Span<UInt8>) -> Double? {
        let range = text(index, in: line)
        guard !range.isEmpty else { return nil }
        var offset = range.lowerBound
        guard let value = Double(decimalAt: &offset, in: line), offset == range.upperBound else { return nil }
        return value
    }

    /// A dilution of precision; `nil` also for 0 and for 99 or more, which receivers write for unknown.
    @inline(__always)
    func dilution(_ index: Int, in line: Span<UInt8>) -> Float? {
        guard let value = number(index, in: line), value > 0, value < 99 else { return nil }
        return Float(value)
    }

    /// A small count, such as the number of satellites.
    @inline(__always)
    func count(_ index: Int, in line: Span<UInt8>) -> UInt8? {
        number(index, in: line).flatMap { UInt8(exactly: $0) }
    }

    /// A time of day, `hhmmss` with any number of decimals, in nanoseconds since midnight.
    @inline(__always)
    func timeOfDay(_ index: Int, in line: Span<UInt8>) throws(FieldError) -> Int64? {
        let range = text(index, in: line)
        guard !range.isEmpty else { return nil }
        var offset = range.lowerBound
        guard range.count >= 6, range.count == 6 || line[range.lowerBound + 6] == UInt8(ascii: "."),
            let number = NumberReader(at: &offset, in: line), offset == range.upperBound, number.isExact,
            number.decimals <= 9, !number.isNegative
        else { throw FieldError(expectation: "expected the time as hhmmss.sss") }
        let (whole, fraction) = number.digits.quotientAndRemainder(dividingBy: number.scale)
        let (hour, minute, second) = (whole / 10_000, whole / 100 % 100, whole % 100)
        guard hour < 24, minute < 60, second <= 60 else {
            throw FieldError(expectation: "expected a time of day up to 235959")
        }
        let seconds = Int64(hour * 3600 + minute * 60 + second)
        return seconds * 1_000_000_000 + Int64(fraction * NumberReader.power(of: 9 - number.decimals))
    }

    /// Latitude, hemisphere, longitude, hemisphere in four fields.
    ///
    /// Some devices write degrees and their decimals there: `52.5,N,13.4,E`. Read as minutes, they would be a place in
    /// the Gulf of Guinea.
    @inline(__always)
    func coordinate(_ index: Int, in line: Span<UInt8>) throws(FieldError) -> Coordinate? {
        let latitude = try degrees(index, "N", "S", 90, in: line)
        let longitude = try degrees(index + 2, "E", "W", 180, in: line)
        guard let latitude, let longitude else { return nil }
        let hasDegrees = wholeDigits(index, in: line) > 2 || wholeDigits(index + 2, in: line) > 3
        guard hasDegrees || latitude == 0 && longitude == 0 else {
            throw FieldError(expectation: "expected the position as ddmm.mmmm,N,dddmm.mmmm,E")
        }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    /// The number of characters before the point of a number.
    @inline(__always)
    private func wholeDigits(_ index: Int, in line: Span<UInt8>) -> Int {
        let range = text(index, in: line)
        let point = line.offset(of: UInt8(ascii: "."), from: range.lowerBound) ?? range.upperBound
        return min(point, range.upperBound) - range.lowerBound
    }

    /// Reads `dddmm.mmmm` and its hemisphere. Degrees and minutes are separated as integers, without loss of
    /// precision.
    @inline(__always)
    private func degrees(
        _ index: Int, _ positive: Unicode.Scalar, _ negative: Unicode.Scalar, _ limit: Double, in line: Span<UInt8>
    ) throws(FieldError) -> Double? {
        let range = text(index, in: line)
        guard !range.isEmpty else { return nil }
        var offset = range.lowerBound
        guard let number = NumberReader(at: &offset, in: line), offset == range.upperBound, number.isExact,
            number.decimals <= 13, !number.isNegative, let hemisphere = letter(index + 1, in: line),
            hemisphere == UInt8(ascii: positive) || hemisphere == UInt8(ascii: negative)
        else { throw FieldError(expectation: "expected the position as ddmm.mmmm,N,dddmm.mmmm,E") }
        let minute = number.scale
        let (whole, minutes) = number.digits.quotientAndRemainder(dividingBy: 100 * minute)
        let value = Double(whole) + Double(minutes) / Double(60 * minute)
        guard minutes < 60 * minute, value <= limit else {
            throw FieldError(expectation: "expected minutes below 60 and a position on the globe")
        }
        return hemisphere == UInt8(ascii: negative) ? -value : value
    }
}
