public import TrackEngine

/// The results of a piece of a document: fixes in order, and the problems of data that could not become fixes.
public struct TrackChunk: Sendable {
    /// The fixes, in the order of the document.
    public package(set) var fixes: [Fix] = []
    /// The problems, in the order of the document, with their line if the format has lines.
    public package(set) var problems: [SourceProblem] = []

    /// The indexes of the first fixes of tracks in the document, and their lines; only in formats with several
    /// tracks per document.
    private var trackBegins: [(index: Int, line: Int)] = []

    /// An empty chunk.
    package init() {}

    /// Whether the chunk has neither a fix nor a problem.
    public var isEmpty: Bool { fixes.isEmpty && problems.isEmpty }

    /// Adds the problem of data that could not become a fix.
    package mutating func report(_ kind: SourceProblem.Kind, line: Int? = nil, _ message: String) {
        problems.append(SourceProblem(kind, line: line, message))
    }

    /// Records that the following fixes belong to another track, which begins in a line.
    ///
    /// A track without fixes is removed, so that the list never becomes longer than the list of fixes.
    mutating func beginTrack(line: Int) { beginTrack(at: fixes.count, line: line) }

    private mutating func beginTrack(at index: Int, line: Int) {
        if trackBegins.last?.index == index { trackBegins.removeLast() }
        trackBegins.append((index, line))
    }

    /// The fixes of each track with fixes, and its line if it is known.
    package var tracks: [(fixes: ArraySlice<Fix>, line: Int?)] {
        let begins = [(index: 0, line: nil)] + trackBegins.map { (index: $0.index, line: Optional($0.line)) }
        let ends = begins.dropFirst().map(\.index) + [fixes.count]
        return zip(begins, ends).compactMap { begin, end in
            begin.index < end ? (fixes[begin.index..<end], begin.line) : nil
        }
    }

    /// Removes fixes, each of which is asked for once, in their order.
    mutating func removeFixes(where isRemoved: (Fix) -> Bool) {
        var whole = TrackChunk()
        moveFixes(to: &whole)
        var begins = whole.trackBegins[...]
        for (index, fix) in whole.fixes.enumerated() {
            while let begin = begins.first, begin.index == index {
                beginTrack(line: begin.line)
                begins.removeFirst()
            }
            if !isRemoved(fix) { fixes.append(fix) }
        }
        for begin in begins { beginTrack(line: begin.line) }
    }

    /// Moves the fixes, not the problems, to the end of those of another chunk.
    mutating func moveFixes(to other: inout TrackChunk) {
        for begin in trackBegins { other.beginTrack(at: begin.index + other.fixes.count, line: begin.line) }
        other.fixes += fixes
        fixes.removeAll()
        trackBegins.removeAll()
    }

    /// Appends the results of a later piece.
    mutating func append(_ later: TrackChunk) {
        for begin in later.trackBegins { beginTrack(at: begin.index + fixes.count, line: begin.line) }
        fixes += later.fixes
        problems += later.problems
    }
}
