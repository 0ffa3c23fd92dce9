internal import TrackEngine

/// Decodes a line of gpsd: an independent reader of the protocol, gpsd_json(5).
///
/// The line is read as strict JSON. Members that are unknown, or not of the type that the protocol specifies, are
/// ignored; of a repeated member the last valid one is used. The words `nan` and `inf`, which JSON does not have, are
/// also ignored. The replay source reads recordings with it. The live source reads texts, lists and satellites with
/// it, and the numbers of a position with libgps.
package struct ReportDecoder: Sendable {
    /// gpsd's own paths have at most 128 bytes (`GPS_PATH_MAX`); the stored length must not depend on the peer.
    package static let longestPath = 256

    private let positionNames = PositionMembers.names
    private let skyNames = SkyMembers.names
    private let otherNames = ReportMembers.names
    private var device = DeviceName()

    /// Creates a decoder; it keeps no values from one line to the next.
    package init() {}

    /// Decodes a line without its line end.
    ///
    /// - Throws: ``MalformedReport`` if the line is not a JSON object with a class, or lacks a required member of its
    ///   class.
    package mutating func decode(_ line: Span<UInt8>) throws(MalformedReport) -> Report {
        do throws(MalformedReport) {
            return try decodeStrictly(line)
        } catch {
            guard let readable = Self.withoutNumberWords(line) else { throw error }
            return try decodeStrictly(readable.span)
        }
    }

    /// A line with `null` in place of each `nan` and `inf`; `nil` if it has none.
    package static func withoutNumberWords(_ line: Span<UInt8>) -> [UInt8]? { JSONNumberText.replacedByNull(in: line) }

    /// Decodes a line of strict JSON without its line end.
    ///
    /// - Throws: as ``decode(_:)``.
    package mutating func decodeStrictly(_ line: Span<UInt8>) throws(MalformedReport) -> Report {
        let name = try reportClass(of: line)
        let bytes = line.extracting(name)
        if bytes.equals("TPV") { return .position(try PositionMembers.read(line, positionNames, &device)) }
        if bytes.equals("SKY") { return .sky(try SkyMembers.read(line, skyNames, &device)) }
        if bytes.equals("POLL") { return try poll(line) }
        return try ReportMembers(line, otherNames).report(ofClass: line.text(in: name))
    }

    /// Reads the lists `tpv` and `sky` of a POLL, before gpsd 3 named `fixes` and `skyviews`.
    private mutating func poll(_ line: Span<UInt8>) throws(MalformedReport) -> Report {
        var positions: [PositionReport] = []
        var skies: [SkyReport] = []
        var cursor = JSONReader()
        cursor.beginObject(line)
        while let name = cursor.nextName(line) {
            let member = line.extracting(name)
            let hasPositions = member.equals("tpv") || member.equals("fixes")
            let isList = hasPositions || member.equals("sky") || member.equals("skyviews")
            guard isList, cursor.peek(line) == UInt8(ascii: "[") else {
                cursor.skip(line)
                continue
            }
            cursor.beginArray(line)
            while cursor.nextElement(line) {
                let start = cursor.offset
                cursor.skip(line)
                guard cursor.isSound else { throw MalformedReport.noReport }
                let element = line.extracting(start..<cursor.offset)
                if hasPositions {
                    positions.append(try PositionMembers.read(element, positionNames, &device))
                } else {
                    skies.append(try SkyMembers.read(element, skyNames, &device))
                }
            }
        }
        guard cursor.isAtEnd(line) else { throw MalformedReport.noReport }
        return .poll(positions: positions, skies: skies)
    }

    /// The range of the name of the class; gpsd writes it first.
    private func reportClass(of line: Span<UInt8>) throws(MalformedReport) -> Range<Int> {
        var cursor = JSONReader()
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

/// The reason why a line is not a report; the text contains no value of the line.
package struct MalformedReport: Error, Sendable, Hashable {
    /// The expectation that was not met.
    package let message: String

    /// A line that does not meet the expectation in the message.
    package init(_ message: String) { self.message = message }

    /// For a line that is not JSON, is truncated, or has no class.
    static let noReport = MalformedReport("expected a gpsd report: an object with a class")
}

/// The path of a receiver, which nearly all lines repeat: its text is created once.
struct DeviceName: Sendable {
    private var bytes: [UInt8] = []
    private var text = ""

    /// Reads the text of the path, if the value is one.
    mutating func read(_ cursor: inout JSONReader, _ line: Span<UInt8>) throws(MalformedReport) -> String? {
        guard let range = cursor.stringOrSkip(line) else { return nil }
        let found = line.extracting(range)
        if isSame(found) { return text }
        let path = cursor.hasEscapes ? JSONReader.unescaped(found) : line.text(in: range)
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
