package import TrackEngine
package import TrackEngineFormats

/// Which stored records are wanted, and in which form.
package struct ExportRequest: Sendable, Hashable {
    /// The form of the document.
    package var format: TrackFormat
    /// No record before this time, by the fixes' clock.
    package var from: Timestamp?
    /// No record at or after this time.
    package var to: Timestamp?

    /// Everything in a format.
    package init(format: TrackFormat, from: Timestamp? = nil, to: Timestamp? = nil) {
        self.format = format
        self.from = from
        self.to = to
    }

    /// Whether a record is wanted.
    package func includes(_ record: TrackRecord) -> Bool {
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
        return members
    }

    init(_ json: JSONValue) throws(ControlError) {
        guard let format = json["format"]?.string.flatMap(TrackFormat.init(rawValue:)) else {
            let known = TrackFormat.allCases.map(\.rawValue).joined(separator: ", ")
            throw .malformed("expected \"format\" to be one of \(known)")
        }
        self.init(format: format, from: try json.time("from"), to: try json.time("to"))
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
