internal import TrackEngine

/// The choice of the file in a zip archive: `doc.kml` before all others, because it is the document of a KMZ, unless it
/// has no fix and only links to others; else the first one with a fix at its beginning, else the first one of a known
/// format, else the first one with the name of a track.
struct ZipEntryChoice {
    /// The length of the examined beginning of a file.
    private static let sampleLength = ReplayInput.pieceLength
    /// The most files that are examined.
    private static let mostLookedAt = 32

    /// The file that is read.
    let member: ZipReader.Member
    /// The names of the others that are tracks.
    let others: [String]
    /// Those that cannot be read, and what would be expected of them.
    let unreadable: [(name: String, expectation: String)]

    /// The contents at the beginning of a file, the best last.
    private enum Content: Int {
        case unknown, knownFormat
        /// A `doc.kml` that continues behind its beginning: pictures and styles may come before the track.
        case longDocument
        case fix
    }

    /// Searches an archive; `nil` for one without a readable file that has the name of a track.
    init?(path: String, interruption: Interruption) throws(ReplayError) {
        let archive = try Self.tracks(path, interruption)
        guard let first = archive.found.first else { return nil }
        let documents = archive.found.filter(\.isDocument)
        let candidates = documents + archive.found.filter { !$0.isDocument }
        var contents: [Int: Content] = [:]
        var best = (member: candidates.first ?? first, content: Content.unknown)
        if candidates.count > 1 {
            for member in candidates.prefix(Self.mostLookedAt) where !interruption.isRequested {
                let isDecided = best.content.rawValue >= Content.longDocument.rawValue
                // Behind the decision, only texts are examined: a readme is no track, and a log is.
                if isDecided && !member.isText { continue }
                let content = try Self.content(of: member, path, interruption)
                contents[member.index] = content
                if !isDecided, content.rawValue > best.content.rawValue { best = (member, content) }
            }
        }
        let chosen = best.member
        member = chosen
        others = archive.found.filter { other in
            other.index != chosen.index && (!other.isText || (contents[other.index] ?? .fix) == .fix)
        }
        .map { $0.name == chosen.name ? "another \($0.name)" : $0.name }
        unreadable = archive.unreadable
    }

    /// The readable files with the name of a track, and the others.
    private static func tracks(
        _ path: String, _ interruption: Interruption
    ) throws(ReplayError) -> (found: [ZipReader.Member], unreadable: [(name: String, expectation: String)]) {
        var input = try ReplayInput(path: path, interruption: interruption) { ReplayFormat.isTrackName($0.name) }
        var buffer = [UInt8](repeating: 0, count: ReplayInput.pieceLength)
        while try input.read(into: &buffer, at: 0) > 0 {}
        return (input.found, input.unreadable)
    }

    private static func content(
        of member: ZipReader.Member, _ path: String, _ interruption: Interruption
    ) throws(ReplayError) -> Content {
        var input = try ReplayInput(path: path, interruption: interruption) { $0.index == member.index }
        var buffer = [UInt8](repeating: 0, count: sampleLength)
        var (count, isAtEnd) = (0, false)
        while count < sampleLength, !isAtEnd {
            let more = try input.read(into: &buffer, at: count)
            count += more
            isAtEnd = more == 0
        }
        var text = DocumentText()
        let sample = text.all(of: buffer.span.extracting(0..<count))
        let head = sample.span.extracting(0..<min(sample.count, TrackFormat.sampleLength))
        guard let format = ReplayFormat(sample: head, path: member.name) else { return .unknown }
        var (decoder, chunk) = (format.makeDecoder(), TrackChunk())
        decoder.decode(sample.span, into: &chunk)
        if isAtEnd { decoder.finish(into: &chunk) }
        if !chunk.fixes.isEmpty { return .fix }
        return member.isDocument && !isAtEnd ? .longDocument : .knownFormat
    }
}

extension ZipReader.Member {
    /// Whether it is the document of a KMZ.
    fileprivate var isDocument: Bool { name.lowercased() == "doc.kml" }

    /// Whether the name is as often that of a text as that of a track.
    fileprivate var isText: Bool { ["txt", "log"].contains(name.formatEnding) }
}
