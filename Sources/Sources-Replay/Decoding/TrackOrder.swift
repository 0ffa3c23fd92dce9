internal import TrackEngine
internal import TrackEngineFormats

/// Puts the tracks of a document into the order in which they began, each of them forward in time.
///
/// Programs write the newest track first, or turn a track round together with its times. A track that goes back in time
/// is read from its end, which is reported; within a track nothing else is moved. Where a format marks no tracks the document is
/// one.
struct TrackOrder {
    /// How many fixes are held, about 30 MB. Of a longer document they are put into order, and what follows them comes as
    /// it stands.
    static let mostFixes = 250_000

    private var held = TrackChunk()

    /// Whether no more can be held.
    var isFull: Bool { held.fixes.count >= Self.mostFixes }

    /// Moves the fixes of a chunk here; its problems stay.
    mutating func take(from chunk: inout TrackChunk) { chunk.moveFixes(to: &held) }

    /// Moves all fixes, in order, to a chunk.
    mutating func release(into chunk: inout TrackChunk) {
        var next = TrackChunk()
        swap(&held, &next)
        var tracks = next.tracks
        for index in tracks.indices where tracks[index].fixes.goBack {
            tracks[index].fixes = tracks[index].fixes.reversed()[...]
            chunk.report(
                .malformed, line: tracks[index].line,
                "expected the times of a track in their order; this one goes back in time and is read from its end")
        }
        let begins = tracks.map { $0.fixes.first?.time ?? Timestamp(nanosecondsSince1970: 0) }
        let order = tracks.indices.sorted { (begins[$0], $0) < (begins[$1], $1) }
        for index in order { chunk.fixes += tracks[index].fixes }
    }
}

extension ArraySlice<Fix> {
    /// Whether the times go back from the first to the last, and more often back than forward.
    fileprivate var goBack: Bool {
        guard let first, let last, first.time > last.time else { return false }
        var balance = 0
        for (one, next) in zip(self, dropFirst()) where one.time != next.time {
            balance += one.time > next.time ? 1 : -1
        }
        return balance > 0
    }
}
