public import TrackEngine

/// What a piece of a file yielded: fixes in order, and what could not become one.
public struct ReplayChunk: Sendable {
    /// The fixes, in the order of the file.
    public package(set) var fixes: [Fix] = []
    /// What could not become a fix, in the order of the file.
    public package(set) var problems: [SourceProblem] = []
    /// How many bytes of the file have been read so far; of the compressed file where it is compressed.
    public package(set) var bytesRead: Int64 = 0
    /// How long the file is, where it has a length; a pipe has none.
    public package(set) var totalBytes: Int64?

    /// An empty chunk.
    package init() {}

    /// Whether it holds neither a fix nor a problem.
    public var isEmpty: Bool { fixes.isEmpty && problems.isEmpty }

    mutating func report(_ kind: SourceProblem.Kind, line: Int? = nil, _ message: String) {
        problems.append(SourceProblem(kind, line: line, message))
    }
}
