public import TrackEngine

/// The result of decoding a piece of a file: fixes in order, and records that could not become one.
public struct ReplayChunk: Sendable {
    /// The decoded fixes and problems.
    package var track = TrackChunk()
    /// How many bytes of the file have been read so far; of the compressed file where it is compressed.
    public package(set) var bytesRead: Int64 = 0
    /// How long the file is, where it has a length; a pipe has none.
    public package(set) var totalBytes: Int64?

    /// An empty chunk.
    package init() {}

    /// The fixes, in the order of the file.
    public var fixes: [Fix] { track.fixes }
    /// The problems of records that could not become a fix, in the order of the file.
    public var problems: [SourceProblem] { track.problems }

    /// Whether it holds neither a fix nor a problem.
    public var isEmpty: Bool { track.isEmpty }
}
