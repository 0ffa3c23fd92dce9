internal import TrackEngine
internal import TrackEngineFormats

/// The choice of the file in a zip archive: `doc.kml` before all others, because it is the document of a KMZ, else
/// the first one with a fix at its beginning, else the first one of a known format, else the first one with the name
/// of a track.
struct ArchiveChoice {
    /// The length of the examined beginning of a file.
    private static let sampleLength = DecompressedInput.pieceLength
    /// The most files that are examined.
    private static let mostLookedAt = 32

    /// The file that is read.
    let name: String
    /// The others that are named as tracks.
    let others: [String]

    /// The contents at the beginning of a file.
    private enum Content {
        case fix, knownFormat, nothing
    }

    /// Searches an archive; `nil` for one without a file that has the name of a track.
    init?(path: String, interruption: Interruption) throws(ReplayError) {
        let names = try Self.trackNames(path, interruption)
        guard let first = names.first else { return nil }
        var best: (name: String, content: Content) = (first, .nothing)
        let document = names.first { $0.lowercased() == "doc.kml" }
        let candidates = (document.map { [$0] } ?? []) + names.filter { $0 != document }
        for name in candidates.prefix(Self.mostLookedAt) where names.count > 1 && !interruption.isRequested {
            let content = try Self.content(of: name, path, interruption)
            if content == .fix || content == .knownFormat && (best.content == .nothing || name == document) {
                best = (name, content)
            }
            if content == .fix || name == document && content == .knownFormat { break }
        }
        name = best.name
        var others: [String] = []
        for (index, other) in names.enumerated() where other != best.name && !interruption.isRequested {
            // A readme is no track, and a log is.
            guard Self.isText(other), index < Self.mostLookedAt else {
                others.append(other)
                continue
            }
            if try Self.content(of: other, path, interruption) == .fix { others.append(other) }
        }
        self.others = others
    }

    /// Whether a name is as often that of a text as that of a track.
    private static func isText(_ name: String) -> Bool { ["txt", "log"].contains(name.formatEnding) }

    /// The names of all files with the name of a track, in their order, each once.
    private static func trackNames(_ path: String, _ interruption: Interruption) throws(ReplayError) -> [String] {
        var input = try DecompressedInput(path: path, interruption: interruption, isWanted: ReplayFormat.isTrackName)
        var buffer = [UInt8](repeating: 0, count: DecompressedInput.pieceLength)
        while try input.read(into: &buffer, at: 0) > 0 {}
        var seen: Set<String> = []
        return ((input.nameInArchive.map { [$0] } ?? []) + input.passedOver).filter { seen.insert($0).inserted }
    }

    private static func content(
        of name: String, _ path: String, _ interruption: Interruption
    ) throws(ReplayError) -> Content {
        var input = try DecompressedInput(path: path, interruption: interruption) { $0 == name }
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
        guard let format = ReplayFormat(sample: head, path: name) else { return .nothing }
        var (decoder, chunk) = (format.makeDecoder(), TrackChunk())
        decoder.decode(sample.span, into: &chunk)
        if isAtEnd { decoder.finish(into: &chunk) }
        return chunk.fixes.isEmpty ? .knownFormat : .fix
    }
}
