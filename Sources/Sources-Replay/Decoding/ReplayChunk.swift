public import TrackEngine
package import TrackEngineFormats

/// What a piece of a file yielded: fixes in order, and what could not become one.
public struct ReplayChunk: Sendable {
    /// What was decoded.
    package var track = TrackChunk()
    /// How many bytes of the file have been read so far; of the compressed file where it is compressed.
    public package(set) var bytesRead: Int64 = 0
    /// How long the file is, where it has a length; a pipe has none.
    public package(set) var totalBytes: Int64?

    /// An empty chunk.
    package init() {}

    /// The fixes, in the order of the file.
    public var fixes: [Fix] { track.fixes }
    /// What could not become a fix, in the order of the file.
    public var problems: [SourceProblem] { track.problems }

    /// Whether it holds neither a fix nor a problem.
    public var isEmpty: Bool { track.isEmpty }
}
