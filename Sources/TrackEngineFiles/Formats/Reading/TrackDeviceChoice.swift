internal import TrackEngine

/// The object of a file whose fixes name their object: the first that is named. With the fixes of others, which are left
/// out, one track would be made of two.
struct TrackDeviceChoice {
    private var chosen: [UInt8]?
    private var hasReportedOther = false

    /// Whether a record of an object is of the file's track. The first other object is reported.
    ///
    /// - Parameters:
    ///   - name: the place of the object's name; `nil` for a record without one.
    ///   - bytes: the record in which it is.
    ///   - isFix: whether it has a usable position; the first object with one is chosen.
    mutating func takes(
        _ name: Range<Int>?, in bytes: Span<UInt8>, isFix: Bool, line: Int, into chunk: inout TrackChunk
    ) -> Bool {
        guard let name else { return true }
        let object = Self.object(bytes.extracting(name))
        guard let chosen else {
            if isFix { chosen = object }
            return true
        }
        if chosen == object { return true }
        reportOther(line: line, into: &chunk)
        return false
    }

    /// A name for comparison: `A `, `"A"`, `7.0` as programs for tables write 7, and the six hexadecimal digits of an
    /// aircraft in upper or lower case.
    private static func object(_ name: Span<UInt8>) -> [UInt8] {
        var bytes = name.copied(name.trimmedRange)
        if bytes.count > 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") {
            bytes = Array(bytes[1..<(bytes.count - 1)])
        }
        let lowercase = bytes.map(\.lowercasedASCII)
        if lowercase.count == 6, lowercase.allSatisfy({ "0123456789abcdef".utf8.contains($0) }) { return lowercase }
        let isNumber = bytes.count > 2 && bytes.dropLast(2).allSatisfy { $0 &- UInt8(ascii: "0") < 10 }
        return isNumber && bytes.suffix(2).elementsEqual(".0".utf8) ? bytes.dropLast(2) : bytes
    }

    /// Reports the first fix that is left out.
    mutating func reportOther(line: Int, into chunk: inout TrackChunk) {
        guard !hasReportedOther else { return }
        hasReportedOther = true
        chunk.report(.incomplete, line: line, "fixes of a second device are left out: expected one device a file")
    }
}
