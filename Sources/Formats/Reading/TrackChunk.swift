public import TrackEngine

/// What a piece of a document gave: fixes in order, and what could not become one.
public struct TrackChunk: Sendable {
    /// The fixes, in the order of the document.
    public package(set) var fixes: [Fix] = []
    /// What could not become a fix, in the order of the document, with its line where the format has lines.
    public package(set) var problems: [SourceProblem] = []

    /// Where tracks of the document begin among the fixes, and their lines; only in formats that have several in a document.
    private var trackBegins: [(index: Int, line: Int)] = []

    /// An empty chunk.
    package init() {}

    /// Whether it holds neither a fix nor a problem.
    public var isEmpty: Bool { fixes.isEmpty && problems.isEmpty }

    /// Notes what could not become a fix.
    package mutating func report(_ kind: SourceProblem.Kind, line: Int? = nil, _ message: String) {
        problems.append(SourceProblem(kind, line: line, message))
    }

    /// Notes that the fixes to come are of another track, which begins at a line.
    ///
    /// A track without fixes is forgotten, so that no document makes the list longer than its fixes.
    package mutating func beginTrack(line: Int) { beginTrack(at: fixes.count, line: line) }

    private mutating func beginTrack(at index: Int, line: Int) {
        if trackBegins.last?.index == index { trackBegins.removeLast() }
        trackBegins.append((index, line))
    }

    /// The fixes of each track that has some, and its line where it is known.
    package var tracks: [(fixes: ArraySlice<Fix>, line: Int?)] {
        let begins = [(index: 0, line: nil)] + trackBegins.map { (index: $0.index, line: Optional($0.line)) }
        let ends = begins.dropFirst().map(\.index) + [fixes.count]
        return zip(begins, ends).compactMap { begin, end in
            begin.index < end ? (fixes[begin.index..<end], begin.line) : nil
        }
    }

    /// Removes fixes, each of which is asked for once, in their order.
    package mutating func removeFixes(where isRemoved: (Fix) -> Bool) {
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
    package mutating func moveFixes(to other: inout TrackChunk) {
        for begin in trackBegins { other.beginTrack(at: begin.index + other.fixes.count, line: begin.line) }
        other.fixes += fixes
        fixes.removeAll()
        trackBegins.removeAll()
    }

    /// Appends what a later piece gave.
    mutating func append(_ later: TrackChunk) {
        for begin in later.trackBegins { beginTrack(at: begin.index + fixes.count, line: begin.line) }
        fixes += later.fixes
        problems += later.problems
    }
}
