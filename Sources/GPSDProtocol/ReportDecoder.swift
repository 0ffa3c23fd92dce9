internal import TrackEngine

/// Turns one line of gpsd into a value: our own reader of the protocol, gpsd_json(5).
///
/// The line is read as strict JSON. Members that are unknown, or not of the type that the protocol gives them, say
/// nothing; of a member that is repeated the last that says something counts. The replay source reads recordings with it.
/// The live source reads texts, lists and satellites with it, and the numbers of a position with libgps.
package struct ReportDecoder: Sendable {
    /// gpsd's own paths have at most 128 bytes (`GPS_PATH_MAX`); what is kept of one must not depend on the peer.
    package static let longestPath = 256

    private let positionNames = PositionMembers.names
    private let skyNames = SkyMembers.names
    private let otherNames = OtherMembers.names
    private var device = DeviceName()

    /// A decoder; nothing of one line is left in the next.
    package init() {}

    /// Decodes a line without its line end.
    ///
    /// - Throws: ``MalformedReport`` when the line is not a JSON object with a class, or lacks what its class must have.
    package mutating func decode(_ line: Span<UInt8>) throws(MalformedReport) -> Report {
        let name = try reportClass(of: line)
        let bytes = line.extracting(name)
        if bytes.equals("TPV") { return .position(try PositionMembers.read(line, positionNames, &device)) }
        if bytes.equals("SKY") { return .sky(try SkyMembers.read(line, skyNames, &device)) }
        return try OtherMembers(line, otherNames).report(ofClass: line.text(in: name))
    }

    /// Where the name of the class lies; gpsd writes it first.
    private func reportClass(of line: Span<UInt8>) throws(MalformedReport) -> Range<Int> {
        var cursor = JSONCursor()
        cursor.beginObject(line)
        while let name = cursor.nextName(line) {
            if !line.extracting(name).equals("class") {
                cursor.skip(line)
            } else if let text = cursor.stringOrSkip(line) {
                return text
            }
        }
        throw MalformedReport.noReport
    }
}

/// Why a line is not a report; the text names no value of the line.
package struct MalformedReport: Error, Sendable, Hashable {
    /// What was expected.
    package let message: String

    /// A line that lacks what the message names.
    package init(_ message: String) { self.message = message }

    /// For what is not JSON, is cut, or has no class.
    static let noReport = MalformedReport("expected a gpsd report: an object with a class")
}

/// The path of a receiver, which nearly all lines repeat: its text is made once.
struct DeviceName: Sendable {
    private var bytes: [UInt8] = []
    private var text = ""

    /// The text of the path that stands here, if one does.
    mutating func read(_ cursor: inout JSONCursor, _ line: Span<UInt8>) throws(MalformedReport) -> String? {
        guard let range = cursor.stringOrSkip(line) else { return nil }
        let found = line.extracting(range)
        if isSame(found) { return text }
        let path = cursor.hasEscapes ? JSONCursor.unescaped(found) : line.text(in: range)
        guard path.utf8.count <= ReportDecoder.longestPath else { throw MalformedReport.longPath }
        if cursor.hasEscapes { return path }
        (bytes, text) = (line.copied(range), path)
        return path
    }

    private func isSame(_ found: Span<UInt8>) -> Bool {
        guard found.count == bytes.count, !bytes.isEmpty else { return false }
        for index in 0..<found.count where found[index] != bytes[index] { return false }
        return true
    }
}

extension MalformedReport {
    static let longPath = MalformedReport("expected at most \(ReportDecoder.longestPath) bytes in a receiver's path")
}
