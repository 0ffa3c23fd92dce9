internal import TrackEngine

/// The object of a file whose fixes name their object: the first that is named. With the fixes of others, which are left
/// out, one track would be made of two.
struct TrackDeviceChoice {
    private var chosen: [UInt8]?
    private var hasReportedOther = false

    /// Whether a fix of an object is of the file's track. The first other object is reported.
    ///
    /// - Parameters:
    ///   - name: the place of the object's name; `nil` for a fix without one.
    ///   - bytes: the record in which it is.
    mutating func takes(
        _ name: Range<Int>?, in bytes: Span<UInt8>, line: Int, into chunk: inout TrackChunk
    ) -> Bool {
        guard let name else { return true }
        guard let chosen else {
            chosen = bytes.copied(name)
            return true
        }
        if chosen.count == name.count, chosen.indices.allSatisfy({ chosen[$0] == bytes[name.lowerBound + $0] }) {
            return true
        }
        reportOther(line: line, into: &chunk)
        return false
    }

    /// Reports the first fix that is left out.
    mutating func reportOther(line: Int, into chunk: inout TrackChunk) {
        guard !hasReportedOther else { return }
        hasReportedOther = true
        chunk.report(.incomplete, line: line, "fixes of a second device are left out: expected one device a file")
    }
}
