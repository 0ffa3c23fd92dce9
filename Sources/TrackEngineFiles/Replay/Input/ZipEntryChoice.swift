internal import TrackEngine

/// The choice of the file in a zip archive: `doc.kml` before all others, because it is the document of a KMZ, unless it
/// has no fix and only links to others; else the first one with a fix at its beginning, else the first one of a known
/// format, else the first one with the name of a track. A recording of a format that is not supported is chosen only
/// where nothing else can be read, and is named elsewhere.
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

    /// The contents at the beginning of a file.
    private enum Content {
        case unknown
        /// A format that is not supported, and what would be expected of the file.
        case foreign(expectation: String)
        case knownFormat
        /// A `doc.kml` that continues behind its beginning: pictures and styles may come before the track.
        case longDocument
        case fix

        /// The order of preference, the best last.
        var rank: Int {
            switch self {
            case .unknown: 0
            case .foreign: 1
            case .knownFormat: 2
            case .longDocument: 3
            case .fix: 4
            }
        }

        /// Whether the search ends here.
        var decides: Bool { rank >= Self.longDocument.rank }
    }

    /// Searches an archive; `nil` for one without a readable file that has the name of a track.
    init?(path: String, interruption: Interruption) throws(ReplayError) {
        let archive = try Self.tracks(path, interruption)
        guard let first = archive.found.first else { return nil }
        // Foreign recordings come last, because only so many files are examined.
        let candidates =
            archive.found.filter(\.isDocument) + archive.found.filter { !$0.isDocument && !$0.isForeign }
            + archive.found.filter(\.isForeign)
        var contents: [Int: Content] = [:]
        var best = (member: candidates.first ?? first, content: Content.unknown)
        if candidates.count > 1 {
            for member in candidates.prefix(Self.mostLookedAt) where !interruption.isRequested {
                let isDecided = best.content.decides
                // Behind the decision, only these are examined: a readme is no track, and a log is.
                if isDecided && !member.isText && !member.isForeign { continue }
                let content = try Self.content(of: member, path, interruption)
                contents[member.index] = content
                if !isDecided, content.rank > best.content.rank { best = (member, content) }
            }
        }
        let chosen = best.member
        member = chosen
        var foreign: [(name: String, expectation: String)] = []
        var others: [String] = []
        for other in archive.found where other.index != chosen.index {
            switch contents[other.index] ?? .fix {
            case .foreign(let expectation):
                foreign.append((other.name, expectation))
                continue
            case .unknown, .knownFormat, .longDocument: if other.isText { continue }
            case .fix: break
            }
            others.append(other.name == chosen.name ? "another \(other.name)" : other.name)
        }
        self.others = others
        unreadable = archive.unreadable + foreign
    }

    /// The files with the name of a track that can be unpacked, and the others.
    private static func tracks(
        _ path: String, _ interruption: Interruption
    ) throws(ReplayError) -> (found: [ZipReader.Member], unreadable: [(name: String, expectation: String)]) {
        var input = try ReplayInput(path: path, interruption: interruption) {
            ReplayFormat.isTrackName($0.name) || $0.isForeign
        }
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
        guard let format = ReplayFormat(sample: head, path: member.name) else {
            guard let foreign = ForeignFormat(sample.span) else { return .unknown }
            return .foreign(expectation: foreign.expectation)
        }
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

    /// Whether the name is one of a recording in a format that is not supported.
    fileprivate var isForeign: Bool { ForeignFormat.isRecordingName(name) }

    /// Whether the name is as often that of a text as that of a track.
    fileprivate var isText: Bool { ["txt", "log"].contains(name.formatEnding) }
}
