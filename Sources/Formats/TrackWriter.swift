public import TrackEngine

/// Writes a track as a document of some format, record by record, in constant memory.
///
/// A pure value that appends to the caller's buffer and does nothing else: the caller writes the buffer out whenever it
/// likes. Call `begin` once, `append` for each record, `end` once. Records of several sources belong one source after
/// the other, except in formats that mix them (``TrackFormat/mixesSources``).
///
/// A record whose coordinate is invalid is left out: none of the formats has a way to say it.
public protocol TrackWriter: Sendable {
    /// Appends what stands before the first record.
    mutating func begin(_ bytes: inout [UInt8])
    /// Appends a record with a valid coordinate; call ``append(_:to:)`` instead.
    mutating func appendValid(_ record: RecordDraft, to bytes: inout [UInt8])
    /// Appends what stands behind the last record.
    mutating func end(_ bytes: inout [UInt8])
}

extension TrackWriter {
    /// Appends a record.
    public mutating func append(_ record: RecordDraft, to bytes: inout [UInt8]) {
        if record.fix.coordinate.isValid { appendValid(record, to: &bytes) }
    }
}
