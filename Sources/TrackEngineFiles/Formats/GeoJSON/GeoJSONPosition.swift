internal import TrackEngine

/// A position of GeoJSON: `[longitude, latitude]`, then the height, and from some writers the time since 1970.
struct GeoJSONPosition {
    private(set) var longitude: Double?
    private(set) var latitude: Double?
    private(set) var height: Double?
    private(set) var time: Timestamp?

    /// A position without values.
    init() {}

    /// Reads an array.
    init(_ cursor: inout JSONReader, _ bytes: Span<UInt8>) {
        cursor.beginArray(bytes)
        var count = 0
        while cursor.nextElement(bytes) {
            let number = cursor.decimal(bytes)
            switch count {
            case 0: longitude = number
            case 1: latitude = number
            case 2: height = number
            case 3: time = number.flatMap { Timestamp(unixNumber: $0) }
            default: break
            }
            count += 1
        }
    }

    var coordinate: Coordinate? {
        guard let latitude, let longitude else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }
}

/// A time in JSON: a string with or without a zone, or a number since 1970, which may also be a string.
struct JSONTime {
    let time: Timestamp
    /// Whether it is a number, which may count from another time (``TimeOrigin``).
    let isNumber: Bool

    /// Reads a value; `nil` for any other value, which is skipped.
    init?(_ cursor: inout JSONReader, _ bytes: Span<UInt8>, _ zone: ZoneOffsetTable) {
        let isText = cursor.peek(bytes) == UInt8(ascii: "\"")
        let text = isText ? cursor.string(bytes) : nil
        if let text, let time = zone.time(bytes.extracting(text)) {
            (self.time, isNumber) = (time, false)
            return
        }
        let number = isText ? text.flatMap { Double(decimal: bytes.extracting($0)) } : cursor.number(bytes)
        guard let time = number.flatMap({ Timestamp(unixNumber: $0) }) else { return nil }
        (self.time, isNumber) = (time, true)
    }
}

extension JSONReader {
    /// A number, also in a string; `nil` without failure for any other value, which is skipped.
    mutating func decimal(_ bytes: Span<UInt8>) -> Double? {
        guard peek(bytes) == UInt8(ascii: "\"") else { return number(bytes) }
        guard let range = string(bytes) else { return nil }
        let text = bytes.extracting(range)
        return Double(written: text.extracting(text.trimmedRange))
    }

    /// Whether the next value is an array with a first element that begins with a byte.
    func beginsList(of byte: UInt8, _ bytes: Span<UInt8>) -> Bool {
        var inner = self
        guard inner.peek(bytes) == UInt8(ascii: "[") else { return false }
        inner.beginArray(bytes)
        return inner.peek(bytes) == byte
    }
}

extension Coordinate {
    /// Parses `52.52°, 13.405°` or `geo:52.52,13.405`, latitude first; before a degree sign, a decimal comma is
    /// allowed.
    init?(degrees text: String) {
        let (lead, degree): (UInt8, UInt8) = (0xc2, 0xb0)
        var bytes = Array(text.utf8.prefix(128))
        if bytes.starts(with: "geo:".utf8) { bytes = Array(bytes.dropFirst(4).prefix { $0 != UInt8(ascii: ";") }) }
        let parts: [ArraySlice<UInt8>]
        if bytes.contains(degree) {
            parts = bytes.split(separator: degree).map { part in
                part.drop { $0 == UInt8(ascii: ",") || $0.isWhiteSpace }
            }.filter { !$0.isEmpty }
        } else {
            parts = bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        }
        let numbers = parts.map { part in
            let bytes = part.filter { !$0.isWhiteSpace && $0 != lead }
            return Double(written: bytes.span)
        }
        guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1] else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }
}
