internal import TrackEngine

/// Puts the tracks of a document into the order in which they began, each of them forward in time.
///
/// Programs write the newest track first, or turn a track round together with its times. A track that goes back in
/// time is read from its end, which is reported; within a track no other fix is moved. Where a format marks no
/// tracks, the document is one track. A track with days in another order than their fixes is divided into its days.
///
/// The receiver of a track may have lost count of its weeks. A track dated ahead of the clock stands where its corrected
/// date belongs (``WeekRollover``); where that is not certain, it keeps its dates and is reported, and so does one
/// dated 1024 weeks before its neighbours.
struct TrackOrder {
    /// The most fixes that are held, 30 to 90 MB. In a longer document these are put into order, and the fixes after
    /// them keep the order of the document.
    static let mostFixes = 250_000

    private let rollover = WeekRollover(timeBase: .fixTime)
    /// The machine's time of day.
    private let now: Timestamp
    /// A track that begins later is dated wrongly; `nil` where the time of day is not known.
    private let latestBegin: Timestamp?
    private var held = TrackChunk()

    /// - Parameter given: the present; `nil` is the machine's time of day.
    init(now given: Timestamp?) {
        now = given ?? .now()
        let isKnown = given != nil || now >= .earliestClock
        latestBegin = isKnown ? now.advanced(by: .seconds(86_400)) : nil
    }

    /// Whether no more can be held.
    var isFull: Bool { held.fixes.count >= Self.mostFixes }

    /// Moves the fixes of a chunk here; its problems stay.
    mutating func take(from chunk: inout TrackChunk) { chunk.moveFixes(to: &held) }

    /// Returns all fixes in order; problems with them go into a chunk.
    consuming func fixes(reportingTo chunk: inout TrackChunk) -> [Fix] {
        var tracks = held.tracks.flatMap { track in track.fixes.stretches.map { (fixes: $0, line: track.line) } }
        var hasReversed = false
        for index in tracks.indices where tracks[index].fixes.goBack {
            hasReversed = true
            tracks[index].fixes = tracks[index].fixes.reversed()[...]
            chunk.report(
                .malformed, line: tracks[index].line,
                "expected the times of a track in their order; this one goes back in time and is read from its end")
        }
        let begins = tracks.map { rollover.corrected($0.fixes.begin, wallClock: now) }
        // A begin that has been corrected is no more than two days ahead.
        let ahead = tracks.indices.filter { isAhead(begins[$0]) && tracks[$0].fixes.begin == begins[$0] }
        for index in ahead {
            chunk.report(
                .incomplete, line: tracks[index].line,
                "expected a date that has been; this track is dated \(begins[index].date), ahead of the clock, and "
                    + "keeps its dates; where they are right, --now names the present")
        }
        for index in begins.indicesOfLostWeeks(except: Set(ahead)) {
            chunk.report(
                .incomplete, line: tracks[index].line,
                "expected a date near that of the other tracks; this one is dated 1024 weeks earlier, on "
                    + "\(begins[index].date), as by a receiver that has lost count of "
                    + "its weeks, and keeps its dates")
        }
        if !hasReversed, zip(begins, begins.dropFirst()).allSatisfy({ $0 <= $1 }) { return held.fixes }
        let order = tracks.indices.sorted { (begins[$0], $0) < (begins[$1], $1) }
        var fixes: [Fix] = []
        fixes.reserveCapacity(held.fixes.count)
        for index in order { fixes += tracks[index].fixes }
        return fixes
    }

    private func isAhead(_ begin: Timestamp) -> Bool { latestBegin.map { begin > $0 } ?? false }
}

extension [Timestamp] {
    /// Those that lie a multiple of 1024 weeks, give or take 30 days, before one beside them. Several in a row are
    /// compared with the next one that does not. Those whose dates are known to be wrong prove nothing.
    fileprivate func indicesOfLostWeeks(except wrong: Set<Int>) -> [Int] {
        var lost: Set<Int> = []
        for order in [[Int](indices), indices.reversed()] {
            var last: Timestamp?
            for index in order where !lost.contains(index) && !wrong.contains(index) {
                if let last, last.isWeekRollover(after: self[index]) {
                    lost.insert(index)
                } else {
                    last = self[index]
                }
            }
        }
        return lost.sorted()
    }
}

extension Timestamp {
    /// The day, as `2026-03-01`.
    fileprivate var date: Substring { rfc3339(.seconds).prefix { $0 != "T" } }

    fileprivate func isWeekRollover(after other: Timestamp) -> Bool {
        let period = 1024 * 7 * 86_400.0
        let periods = duration(since: other) / Duration.seconds(1) / period
        return periods.rounded() >= 1 && abs(periods - periods.rounded()) * period <= 30 * 86_400
    }
}

extension ArraySlice<Fix> {
    /// When the track began: the median of the first five times, since receivers may give the first ones without
    /// knowing the date; of a shorter track the first time.
    fileprivate var begin: Timestamp {
        let times = prefix(5).map(\.time)
        return (times.count < 5 ? times.first : times.sorted()[2]) ?? Timestamp(nanosecondsSince1970: 0)
    }

    /// Whether the times go back from the first to the last, and more often back than forward.
    fileprivate var goBack: Bool {
        guard let first, let last, first.time > last.time else { return false }
        return mostlyGoBack
    }

    private var mostlyGoBack: Bool {
        var balance = 0
        for (one, next) in zip(self, dropFirst()) where one.time != next.time {
            balance += one.time > next.time ? 1 : -1
        }
        return balance > 0
    }

    /// A step of more than this against the others ends a stretch. A clock that is set right makes shorter ones.
    private static var leap: Duration { .seconds(6 * 3600) }
    /// The longest time between two days. A receiver that has lost the number of the week is off by more.
    private static var longestGap: Duration { .seconds(366 * 86_400) }

    /// The days of a track that are in another order than their fixes; the track alone where there are none.
    ///
    /// A day ends where the times leap against the direction of most steps. Single wrong times may leap, too:
    /// therefore days must not overlap, and the first and the last must not have only a few fixes where the others
    /// have many.
    ///
    /// | hours of the fixes | are |
    /// |---|---|
    /// | 50 51 52, 26 27 28, 2 3 4 | three days |
    /// | 4 3 2, 28 27 26 | two days |
    /// | 1 2 3 0 4 5 | one track |
    fileprivate var stretches: [ArraySlice<Fix>] {
        let isBackward = mostlyGoBack
        var parts: [ArraySlice<Fix>] = []
        var start = startIndex
        for index in indices.dropFirst() {
            let (one, next) = (self[index - 1].time, self[index].time)
            let step = isBackward ? next.duration(since: one) : one.duration(since: next)
            guard step > Self.leap else { continue }
            parts.append(self[start..<index])
            start = index
        }
        guard start > startIndex else { return [self] }
        parts.append(self[start...])
        let spans = parts.compactMap(\.span).sorted { $0.lowerBound < $1.lowerBound }
        let areApart = zip(spans, spans.dropFirst()).allSatisfy {
            $0.upperBound < $1.lowerBound && $1.lowerBound.duration(since: $0.upperBound) < Self.longestGap
        }
        let areLong = [parts.first, parts.last].compactMap(\.self).allSatisfy {
            $0.count >= 5 || $0.count * parts.count * 4 >= count
        }
        return areApart && areLong ? parts : [self]
    }

    private var span: ClosedRange<Timestamp>? {
        guard let first = self.min(by: { $0.time < $1.time }), let last = self.max(by: { $0.time < $1.time }) else {
            return nil
        }
        return first.time...last.time
    }
}
