package import TrackEngine

/// A `gx:Track` that is being read: a list of times and a list of places, in which the k-th entries belong together.
///
/// The schema requires all times before all places, but many writers put each time before its place, and some after
/// it. A track that begins with a time is read in blocks: some times, and then their places. A block is complete
/// when the next time arrives or the track ends. From the first block with unequal numbers on, all wait for the end
/// of the track: if it has as many times as places, the k-th ones belong together. Otherwise, or if two or more
/// blocks, and as many as have unequal numbers, are pairs of one time and one place, each block is read by itself. If
/// its numbers are unequal, it is unknown which ones are missing, and none of its places gets a time, because that could
/// belong to another place. A track that begins with a place is one block, because only its end shows whether its first
/// time is missing. With as many times as places the k-th ones belong together, unless it mostly alternates.
///
/// | track | result |
/// |---|---|
/// | t1 t2 t3 p1 p2 p3 | three fixes |
/// | t1 p1 p2 t2 t3 p3 | three fixes |
/// | t1 t2 t3 p1 p3 | no fix, a problem |
/// | t1 p1 p2 | p1 at t1; p2 is a problem |
/// | t1 p1 t2 t3 p3 | p1 at t1, p3 at t3 |
/// | p1 t1 p2 t2, p1 p2 t1 t2 | two fixes |
/// | p1 t1 p2 t2 p3 p4 t4 p5 t5 t6 p7 t7 | p3 and t6 are problems, all others have their time |
/// | p1 t2 p2 t3 p3 | no fix, a problem: t1 may be missing, or the time of p3 |
/// | the same with t2 p2 on one line and t3 p3 on the next | p2 at t2, p3 at t3; p1 is a problem |
/// | t1, then p2 t2 on one line and p3 t3 on the next | p2 at t2, p3 at t3; t1 is a problem |
///
/// Where the document is cut and few blocks are pairs, the places behind a complete block with unequal numbers are left
/// out. Those of the last block are left out, too, if their times are uncertain.
package struct KMLTrack {
    /// The numbers of times and places in a block, including those that are not kept, and the line of the last place.
    private typealias Block = (times: Int, places: Int, line: Int)

    /// The largest number of held times or places.
    private let maximumCount: Int
    /// The line of the start tag.
    private let line: Int
    private let zone: ZoneOffsetTable
    private var times: [Timestamp?] = []
    private var places: [KMLPlace?] = []
    private var block: Block = (0, 0, 0)
    /// The complete blocks that wait for the end of the track.
    private var waiting: [Block] = []
    /// Of a track that begins with a place: its places and the times behind them, anew with each place behind a time.
    private var runs: [Block] = []
    /// Whether the bound was reached, so that no block waits for the end of the track.
    private var isFull = false
    /// Whether the track is one block, because its first place or time may be missing; `nil` before its first element.
    private var isOneBlock: Bool?
    /// The number of complete blocks of one time and one place that do not wait.
    private var pairs = 0
    /// How many of the held times are empty.
    private var emptyTimes = 0
    /// The line of the latest time or place, and whether it was a time.
    private var latest = (line: 0, isTime: false)
    /// Whether each time so far shares its line with the place behind it, and with no other.
    private var timesShareLine = true
    /// Whether the first element was a time, and each place so far shares its line with the time behind it.
    private var placesShareLine = false

    /// - Parameters:
    ///   - line: The line of the start tag.
    ///   - zone: The zone of times without one.
    ///   - maximumTimes: The largest number of held times or places; by default three days with one fix per second,
    ///     at most 25 MB together.
    package init(line: Int, zone: ZoneOffsetTable = .utc, maximumTimes: Int = 262_144) {
        self.line = line
        self.zone = zone
        maximumCount = maximumTimes
    }

    /// Adds the text of a `when`; an empty one means that the time is unknown.
    ///
    /// - Returns: The fixes of the blocks that it ends.
    package mutating func addTime(_ text: Span<UInt8>, line: Int, into chunk: inout TrackChunk) -> [Fix] {
        var fixes: [Fix] = []
        if isOneBlock == nil {
            (isOneBlock, placesShareLine) = (false, true)
        } else if latest.isTime || latest.line != line {
            placesShareLine = false
        }
        if placesShareLine, block.places > 0 { isOneBlock = true }
        if !runs.isEmpty { runs[runs.count - 1].times += 1 }
        if isOneBlock == false, block.places > 0 { fixes = endBlock(into: &chunk) }
        block.times += 1
        if text.count == 0 { emptyTimes += 1 }
        if latest.isTime || latest.line == line { timesShareLine = false }
        latest = (line, true)
        if times.count == maximumCount { fixes += takeWaiting(into: &chunk) }
        guard times.count < maximumCount else {
            reportExcess(block.times, line: line, into: &chunk)
            return fixes
        }
        let time = zone.time(text)
        if time == nil, text.count > 0 {
            chunk.report(.malformed, line: line, "when: expected the time as RFC 3339")
        }
        times.append(time)
        return fixes
    }

    private func reportExcess(_ count: Int, line: Int, into chunk: inout TrackChunk) {
        guard count == maximumCount + 1 else { return }
        let (kept, others) = isOneBlock == true ? ("places", "times") : ("times", "places")
        chunk.report(.oversized, line: line, "expected at most \(maximumCount) \(kept) before their \(others)")
    }

    /// Adds a place; `nil` for an unreadable one, which still uses a time.
    ///
    /// - Returns: The fixes of the blocks that no longer wait.
    package mutating func addPlace(_ place: KMLPlace?, line: Int, into chunk: inout TrackChunk) -> [Fix] {
        if isOneBlock == nil || !runs.isEmpty && latest.isTime && places.count < maximumCount {
            isOneBlock = true
            runs.append((0, 0, line))
        }
        if !runs.isEmpty {
            runs[runs.count - 1].places += 1
            runs[runs.count - 1].line = line
        }
        if !latest.isTime || latest.line == line { placesShareLine = false }
        if block.places > 0, !latest.isTime || latest.line != line { timesShareLine = false }
        block.places += 1
        block.line = line
        latest = (line, false)
        let fixes = places.count == maximumCount ? takeWaiting(into: &chunk) : []
        if places.count < maximumCount {
            places.append(place)
        } else if isOneBlock == true {
            reportExcess(block.places, line: line, into: &chunk)
        }
        return fixes
    }

    /// Ends the track.
    ///
    /// - Returns: The remaining fixes.
    package mutating func end(into chunk: inout TrackChunk) -> [Fix] {
        defer { clear() }
        if !runs.isEmpty, block.times == block.places, isMostlyPairs(runs) { return pairRuns(into: &chunk) }
        if !waiting.isEmpty, times.count == places.count, !isMostlyPairs(waiting + [block]) {
            reportEmptyTimes(into: &chunk)
            return Self.fixes(times[...], places[...])
        }
        let fixes = takeWaiting(into: &chunk)
        return fixes + pair(block, times[...], places[...], into: &chunk)
    }

    /// Ends the track where the document is cut or damaged: the missing part follows the places so far.
    ///
    /// - Returns: The fixes before the cut.
    mutating func cut(into chunk: inout TrackChunk) -> [Fix] {
        defer { clear() }
        // The last run may lack the times that follow the cut.
        let complete = runs.last?.times == 0 ? runs.dropLast() : runs[...]
        if complete.contains(where: { $0.times != $0.places }), isMostlyPairs(runs) {
            return pairRuns(into: &chunk)
        }
        guard waiting.isEmpty || isMostlyPairs(waiting + [block]) else {
            chunk.report(.incomplete, line: line, "gx:Track: expected its end, because a when or gx:coord is missing")
            return []
        }
        let fixes = takeWaiting(into: &chunk)
        let isUncertain =
            isOneBlock == true
            ? placesShareLine : block.places > block.times || block.places < block.times && pairs > 0
        return isUncertain && block.times > 1 ? fixes : fixes + pairFirst(block, times[...], places[...], into: &chunk)
    }

    /// Whether times and places mostly alternate, so that a block with unequal numbers has lost one.
    private func isMostlyPairs(_ blocks: [Block]) -> Bool {
        let others = blocks.count { $0.times != $0.places }
        return pairs + blocks.count { $0.times == 1 && $0.places == 1 } >= max(2, others)
    }

    /// The fixes of a track that begins with a place and mostly alternates.
    private mutating func pairRuns(into chunk: inout TrackChunk) -> [Fix] {
        reportEmptyTimes(into: &chunk)
        var (fixes, time, place) = ([Fix](), 0, 0)
        for run in runs {
            let runTimes = times[time..<min(time + run.times, times.count)]
            let runPlaces = places[place..<min(place + run.places, places.count)]
            (time, place) = (runTimes.endIndex, runPlaces.endIndex)
            if run.times > run.places {
                chunk.report(.incomplete, line: run.line, "gx:Track: expected a gx:coord for each when")
            } else if run.times < run.places {
                chunk.report(.incomplete, line: run.line, "gx:coord: expected a when for it")
            }
            // A time belongs to the place before it.
            if run.times == run.places || run.places == 1 { fixes += Self.fixes(runTimes, runPlaces) }
            if run.times == 1, run.places > 1 { fixes += Self.fixes(runTimes, runPlaces.suffix(1)) }
        }
        return fixes
    }

    private mutating func endBlock(into chunk: inout TrackChunk) -> [Fix] {
        if isFull || waiting.isEmpty && block.times == block.places {
            defer { clear() }
            return pair(block, times[...], places[...], into: &chunk)
        }
        waiting.append(block)
        block = (0, 0, 0)
        return []
    }

    /// Reads the blocks that wait, each by itself, and lets no other wait.
    private mutating func takeWaiting(into chunk: inout TrackChunk) -> [Fix] {
        isFull = true
        var (fixes, time, place) = ([Fix](), 0, 0)
        for block in waiting {
            let ends = (time + block.times, place + block.places)
            fixes += pair(block, times[time..<ends.0], places[place..<ends.1], into: &chunk)
            (time, place) = ends
        }
        waiting.removeAll()
        times.removeFirst(time)
        places.removeFirst(place)
        return fixes
    }

    // MARK: A block

    /// The fixes of a complete block.
    private mutating func pair(
        _ block: Block, _ times: ArraySlice<Timestamp?>, _ places: ArraySlice<KMLPlace?>, into chunk: inout TrackChunk
    ) -> [Fix] {
        if block.times == block.places {
            if block.times == 1 { pairs += 1 }
            return pairFirst(block, times, places, into: &chunk)
        }
        if block.places == 0 || isLastTimeOfPlace(block) {
            chunk.report(.incomplete, line: line, "gx:Track: expected a gx:coord for each when")
            return pairFirst(block, times, places, into: &chunk)
        }
        if isOneBlock == true, placesShareLine, block.times == block.places + 1 {
            chunk.report(.incomplete, line: line, "gx:Track: expected a gx:coord for its first when")
            return pairFirst(block, times.dropFirst(), places, into: &chunk)
        }
        if isOneBlock == true, block.times > 0, timesShareLine, block.places == block.times + 1 {
            chunk.report(.incomplete, line: line, "gx:Track: expected a when for its first gx:coord")
            return pairFirst(block, times, places.dropFirst(), into: &chunk)
        }
        if isOneBlock == false, block.times == 1 {
            chunk.report(.incomplete, line: block.line, "gx:coord: expected a when for it")
            return pairFirst(block, times, places, into: &chunk)
        }
        if block.times == 0 {
            let numbers = "\(block.places) gx:coord"
            chunk.report(.incomplete, line: line, "gx:Track: \(numbers): expected a when for each")
        } else {
            let numbers = "\(block.places) gx:coord and \(block.times) when"
            chunk.report(.incomplete, line: line, "gx:Track: \(numbers): expected as many, so none has its time")
        }
        return []
    }

    /// Returns whether the place of an earlier time is missing, in a track with alternating times and places.
    private func isLastTimeOfPlace(_ block: Block) -> Bool { pairs > 0 && block.places == 1 && block.times > 1 }

    /// The fixes of the first times and places of a block, until one list ends.
    private mutating func pairFirst(
        _ block: Block, _ times: ArraySlice<Timestamp?>, _ places: ArraySlice<KMLPlace?>, into chunk: inout TrackChunk
    ) -> [Fix] {
        reportEmptyTimes(into: &chunk)
        return Self.fixes(isLastTimeOfPlace(block) ? times.suffix(1) : times, places)
    }

    private mutating func reportEmptyTimes(into chunk: inout TrackChunk) {
        guard emptyTimes > 0 else { return }
        chunk.report(
            .incomplete, line: line, "gx:Track: \(emptyTimes) when without a time: expected one for each place")
        emptyTimes = 0
    }

    private static func fixes(_ times: ArraySlice<Timestamp?>, _ places: ArraySlice<KMLPlace?>) -> [Fix] {
        zip(times, places).compactMap { time, place in
            guard let time, let place else { return nil }
            return Fix(time: time, coordinate: place.coordinate, altitude: place.altitude)
        }
    }

    private mutating func clear() {
        times.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
        waiting.removeAll()
        runs.removeAll()
        block = (0, 0, 0)
        emptyTimes = 0
    }
}

/// A place of KML: numbers in the order longitude, latitude, height.
package struct KMLPlace: Hashable, Sendable {
    /// The reference of a height (`altitudeMode`).
    package enum AltitudeMode: Sendable {
        /// The height is not drawn. It is used unless it is 0, which writers put if they know none.
        case clampToGround
        /// Mean sea level.
        case absolute
        /// The ground, or the sea floor, which has an unknown height here.
        case relative
    }

    let coordinate: Coordinate
    /// Metres above mean sea level.
    let altitude: Double?

    /// Parses a place with numbers that are separated by commas or white space; `nil` for any text other than two or
    /// three numbers.
    package init?(_ text: Span<UInt8>, _ mode: AltitudeMode) {
        var numbers = InlineArray<3, Double>(repeating: 0)
        var count = 0
        var offset = 0
        while offset < text.count {
            guard count < 3, let number = Double(decimalAt: &offset, in: text) else { return nil }
            numbers[count] = number
            count += 1
            guard offset == text.count || Self.separates(text[offset]) else { return nil }
            while offset < text.count, Self.separates(text[offset]) { offset += 1 }
        }
        guard count >= 2 else { return nil }
        coordinate = Coordinate(latitude: numbers[1], longitude: numbers[0])
        altitude = count == 3 ? Self.altitude(numbers[2], mode) : nil
    }

    private static func separates(_ byte: UInt8) -> Bool { byte.isWhiteSpace || byte == UInt8(ascii: ",") }

    private static func altitude(_ height: Double, _ mode: AltitudeMode) -> Double? {
        switch mode {
        case .clampToGround: height == 0 ? nil : height
        case .absolute: height
        case .relative: nil
        }
    }
}
