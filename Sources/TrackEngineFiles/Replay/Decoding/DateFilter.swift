internal import TrackEngine

/// Removes fixes with the date of a clock that had none (``TrackEngine/Timestamp/isOfUnsetClock``), and reports them,
/// where other fixes of the file show that it was recorded at another time.
///
/// Such fixes at the begin of a file wait for the first one with a date. A file that has no other is given as it is;
/// so is one that was recorded in those days.
struct DateFilter {
    /// How many fixes wait; a file with more is believed.
    static let mostHeld = 10_000
    /// How far a fix that was recorded on such a day may lie from others.
    private static let reach = Duration.seconds(30 * 86_400)

    /// The knowledge about the file's dates.
    private enum State {
        /// Only such fixes so far.
        case waiting(TrackChunk)
        /// The time of the latest fix with a date.
        case dated(Timestamp)
        /// No other fixes have come for long.
        case believed
    }

    private var state = State.waiting(TrackChunk())

    /// Removes undated fixes from a chunk.
    mutating func sift(_ chunk: inout TrackChunk) {
        switch state {
        case .believed: return
        case .waiting(var held):
            state = .believed
            let first = chunk.fixes.first { !$0.time.isOfUnsetClock }
            chunk.moveFixes(to: &held)
            if let first {
                held.moveFixes(to: &chunk)
                remove(from: &chunk, datedFrom: first.time)
            } else if held.fixes.count >= Self.mostHeld {
                held.moveFixes(to: &chunk)
            } else {
                state = .waiting(held)
            }
        case .dated(let time): remove(from: &chunk, datedFrom: time)
        }
    }

    /// Gives the waiting fixes back at the end of the file.
    mutating func finish(_ chunk: inout TrackChunk) {
        guard case .waiting(var held) = state else { return }
        held.moveFixes(to: &chunk)
    }

    private mutating func remove(from chunk: inout TrackChunk, datedFrom time: Timestamp) {
        guard chunk.fixes.contains(where: \.time.isOfUnsetClock) else {
            state = .dated(chunk.fixes.last?.time ?? time)
            return
        }
        var latest = time
        var removed: [(day: Substring, count: Int)] = []
        chunk.removeFixes { fix in
            guard fix.time.isOfUnsetClock, Self.isFar(fix.time, from: latest) else {
                latest = fix.time
                return false
            }
            let day = fix.time.rfc3339(.seconds).prefix { $0 != "T" }
            if let last = removed.indices.last, removed[last].day == day {
                removed[last].count += 1
            } else {
                removed.append((day, 1))
            }
            return true
        }
        state = .dated(latest)
        for (day, count) in removed {
            let positions = count == 1 ? "a position" : "\(count) positions"
            chunk.report(
                .incomplete, "\(positions) dated \(day): expected a date; receivers that know none report that one")
        }
    }

    private static func isFar(_ time: Timestamp, from other: Timestamp) -> Bool {
        time < other ? other.duration(since: time) > reach : time.duration(since: other) > reach
    }
}
