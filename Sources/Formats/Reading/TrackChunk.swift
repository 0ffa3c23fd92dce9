public import TrackEngine

/// What a piece of a document gave: fixes in order, and what could not become one.
public struct TrackChunk: Sendable {
    /// The fixes, in the order of the document.
    public package(set) var fixes: [Fix] = []
    /// What could not become a fix, in the order of the document, with its line where the format has lines.
    public package(set) var problems: [SourceProblem] = []

    /// An empty chunk.
    package init() {}

    /// Whether it holds neither a fix nor a problem.
    public var isEmpty: Bool { fixes.isEmpty && problems.isEmpty }

    /// Notes what could not become a fix.
    package mutating func report(_ kind: SourceProblem.Kind, line: Int? = nil, _ message: String) {
        problems.append(SourceProblem(kind, line: line, message))
    }

    /// Appends what a later piece gave.
    mutating func append(_ later: TrackChunk) {
        fixes += later.fixes
        problems += later.problems
    }
}
