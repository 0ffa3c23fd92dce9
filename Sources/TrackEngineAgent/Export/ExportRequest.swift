package import TrackEngine
package import TrackEngineFiles
import TrackEngineSettings

/// The selection of stored records to export, and the format.
package struct ExportRequest: Sendable, Hashable {
    /// The format of the document.
    package var format: TrackFormat
    /// No record before this time, by the fixes' clock.
    package var from: Timestamp?
    /// No record at or after this time.
    package var to: Timestamp?
    /// The kinds of records; only ``TrackFormat/ndjson`` has a form for events.
    package var kinds: RecordKinds

    /// Makes a request, by default for all positions.
    package init(
        format: TrackFormat, from: Timestamp? = nil, to: Timestamp? = nil, kinds: RecordKinds = .location
    ) {
        self.format = format
        self.from = from
        self.to = to
        self.kinds = kinds
    }

    /// Whether a record is part of the export.
    package func includes(_ record: TrackRecord) -> Bool {
        guard kinds.contains(record.kind) else { return false }
        if let from, record.fix.time < from { return false }
        if let to, record.fix.time >= to { return false }
        return true
    }
}

// MARK: - On the wire

extension ExportRequest {
    var members: [JSONValue.Member] {
        var members: [JSONValue.Member] = [.init("format", .string(format.rawValue))]
        if let from { members.append(.init("from", .string(from.description))) }
        if let to { members.append(.init("to", .string(to.description))) }
        if kinds != .location {
            let names = RecordKind.allCases.filter { kinds.contains($0) }.map { JSONValue.string($0.name) }
            members.append(.init("kinds", .array(names)))
        }
        return members
    }

    init(_ json: JSONValue) throws(ControlError) {
        guard let format = json["format"]?.string.flatMap(TrackFormat.init(rawValue:)) else {
            let known = TrackFormat.allCases.map(\.rawValue).joined(separator: ", ")
            throw .malformed("expected \"format\" to be one of \(known)")
        }
        self.init(
            format: format, from: try json.time("from"), to: try json.time("to"), kinds: try Self.kinds(json["kinds"]))
    }

    private static func kinds(_ json: JSONValue?) throws(ControlError) -> RecordKinds {
        guard let json else { return .location }
        let names = json.array?.compactMap(\.string) ?? []
        let kinds = names.compactMap(RecordKind.init(name:))
        guard !kinds.isEmpty, kinds.count == names.count else {
            throw .malformed("expected \"kinds\" to be some of \(RecordKind.allCases.map(\.name).inWords)")
        }
        return RecordKinds(kinds.map(RecordKinds.init))
    }
}

extension JSONValue {
    fileprivate func time(_ name: String) throws(ControlError) -> Timestamp? {
        guard let text = try text(name) else { return nil }
        guard let time = Timestamp(rfc3339: text) else {
            throw .malformed("expected \"\(name)\" to be an RFC 3339 time")
        }
        return time
    }
}
