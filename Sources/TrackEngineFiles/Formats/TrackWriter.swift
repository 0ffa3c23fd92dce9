public import TrackEngine

/// Writes a track as a document of some format, record by record, in constant memory.
///
/// A pure value that only appends to the caller's buffer; the caller may write the buffer at any time. Call `begin`
/// once, `append` for each record, `end` once. Records of several sources must be appended one source after the
/// other, except in formats that mix them (``TrackFormat/mixesSources``).
///
/// A record with an invalid coordinate is left out, because none of the formats can represent it.
public protocol TrackWriter: Sendable {
    /// Appends the text before the first record.
    mutating func begin(_ bytes: inout [UInt8])
    /// Appends a record with a valid coordinate; call ``append(_:to:)`` instead.
    mutating func appendValid(_ record: RecordDraft, to bytes: inout [UInt8])
    /// Appends the text after the last record.
    mutating func end(_ bytes: inout [UInt8])
}

extension TrackWriter {
    /// Appends a record.
    public mutating func append(_ record: RecordDraft, to bytes: inout [UInt8]) {
        if record.fix.coordinate.isValid { appendValid(record, to: &bytes) }
    }
}
