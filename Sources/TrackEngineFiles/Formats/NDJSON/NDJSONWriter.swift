package import TrackEngine

/// Writes one JSON object in CalmGeo's format per line.
///
/// That format has no source of a record; a final member `source` is optional.
package struct NDJSONWriter: TrackWriter {
    private let namesSource: Bool
    private var writer = JSONWriter()

    package init(namesSource: Bool = false) {
        self.namesSource = namesSource
    }

    package mutating func begin(_ bytes: inout [UInt8]) {}

    package mutating func appendValid(_ record: RecordDraft, to bytes: inout [UInt8]) {
        writer.removeAll()
        CalmGeoRecord.write(record, to: &writer)
        bytes.append(contentsOf: writer.bytes)
        if namesSource { appendSource(of: record, to: &bytes) }
        bytes.append("\n")
    }

    package mutating func end(_ bytes: inout [UInt8]) {}

    /// Adds a member to the last object in the buffer.
    private mutating func appendSource(of record: RecordDraft, to bytes: inout [UInt8]) {
        writer.removeAll()
        writer.member(#","source":"#, record.source.rawValue)
        writer.raw("}")
        bytes.removeLast()
        bytes.append(contentsOf: writer.bytes)
    }
}
