package import TrackEngine

/// A `gx:Track` that is being read: a list of times and a list of places, in which the k-th entries belong together.
///
/// The schema requires all times before all places, but many writers put each time before its place, and some after
/// it. A track that begins with a time is read in blocks: some times, and then their places. A block is complete
/// when the next time arrives or the track ends. If a block has unequal numbers of times and places, it is unknown
/// which ones are missing, and none of its places gets a time, because that could belong to another place. A track
/// that begins with a place is one block, because only its end shows whether its first time is missing.
///
/// | track | result |
/// |---|---|
/// | t1 t2 t3 p1 p2 p3 | three fixes |
/// | t1 t2 t3 p1 p3 | no fix, a problem |
/// | t1 p1 p2 | p1 at t1; p2 is a problem |
/// | t1 p1 t2 t3 p3 | p1 at t1, p3 at t3 |
/// | p1 t1 p2 t2, p1 p2 t1 t2 | two fixes |
/// | p1 t2 p2 t3 p3 | no fix, a problem: t1 may be missing, or the time of p3 |
/// | the same with t2 p2 on one line and t3 p3 on the next | p2 at t2, p3 at t3; p1 is a problem |
package struct KMLTrack {
    /// The largest number of held times or places.
    private let maximumCount: Int
    /// The line of the start tag.
    private let line: Int
    private let zone: ZoneOffsetTable
    private var times: [Timestamp?] = []
    private var places: [KMLPlace?] = []
    /// The number of times and places in the block, including those that are not kept.
    private var count = (times: 0, places: 0)
    /// Whether the track began with a place; `nil` before its first element.
    private var beginsWithPlace: Bool?
    /// Whether the track has had a block of one time and one place, and has continued.
    private var alternates = false
    /// How many times of the block are empty.
    private var emptyTimes = 0
    /// The line of the latest time or place, and whether it was a time.
    private var latest = (line: 0, isTime: false)
    /// Whether each time so far shares its line with the place behind it, and with no other.
    private var timesShareLine = true

    /// - Parameters:
    ///   - line: The line of the start tag.
    ///   - zone: The zone of times without one.
    ///   - maximumTimes: The largest number of held times or places; by default three days with one fix per second,
    ///     12 MB together.
    package init(line: Int, zone: ZoneOffsetTable = .utc, maximumTimes: Int = 262_144) {
        self.line = line
        self.zone = zone
        maximumCount = maximumTimes
    }

    /// Whether a place that arrives now can have a time.
    var expectsPlace: Bool { beginsWithPlace != false || count.places < count.times }

    /// Adds the text of a `when`; an empty one means that the time is unknown.
    ///
    /// - Returns: The fixes of the block that it ends.
    package mutating func addTime(_ text: Span<UInt8>, line: Int, into chunk: inout TrackChunk) -> [Fix] {
        var fixes: [Fix] = []
        if beginsWithPlace == nil { beginsWithPlace = false }
        if beginsWithPlace == false, count.places > 0 {
            if count == (1, 1) { alternates = true }
            fixes = end(into: &chunk)
        }
        count.times += 1
        if text.count == 0 { emptyTimes += 1 }
        if latest.isTime || latest.line == line { timesShareLine = false }
        latest = (line, true)
        guard times.count < maximumCount else {
            reportExcess(count.times, line: line, into: &chunk)
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
        let (kept, others) = beginsWithPlace == true ? ("places", "times") : ("times", "places")
        chunk.report(.oversized, line: line, "expected at most \(maximumCount) \(kept) before their \(others)")
    }

    /// Adds a place; `nil` for an unreadable one, which still uses a time.
    package mutating func addPlace(_ place: KMLPlace?, line: Int, into chunk: inout TrackChunk) {
        if beginsWithPlace == nil { beginsWithPlace = true }
        guard beginsWithPlace == true || count.times > 1 || expectsPlace else {
            return chunk.report(.incomplete, line: line, "gx:coord: expected a when for it")
        }
        if count.places > 0, !latest.isTime || latest.line != line { timesShareLine = false }
        count.places += 1
        latest = (line, false)
        if places.count < maximumCount {
            places.append(place)
        } else if beginsWithPlace == true {
            reportExcess(count.places, line: line, into: &chunk)
        }
    }

    /// Ends the track, or the complete block.
    ///
    /// - Returns: The fixes of the block.
    package mutating func end(into chunk: inout TrackChunk) -> [Fix] {
        if count.times == count.places { return takeFixes(into: &chunk) }
        if count.places == 0 || isLastTimeOfPlace {
            chunk.report(.incomplete, line: line, "gx:Track: expected a gx:coord for each when")
            return takeFixes(into: &chunk)
        }
        if beginsWithPlace == true, count.times > 0, timesShareLine, count.places == count.times + 1 {
            chunk.report(.incomplete, line: line, "gx:Track: expected a when for its first gx:coord")
            if !places.isEmpty { places.removeFirst() }
            return takeFixes(into: &chunk)
        }
        if count.times == 0 {
            let numbers = "\(count.places) gx:coord"
            chunk.report(.incomplete, line: line, "gx:Track: \(numbers): expected a when for each")
        } else {
            let numbers = "\(count.places) gx:coord and \(count.times) when"
            chunk.report(.incomplete, line: line, "gx:Track: \(numbers): expected as many, so none has its time")
        }
        clear()
        return []
    }

    /// Ends the track where the document is cut or damaged: the missing part follows the places so far.
    ///
    /// - Returns: the fixes before the cut.
    mutating func cut(into chunk: inout TrackChunk) -> [Fix] {
        if beginsWithPlace == false, count.places > count.times { clear() }
        return takeFixes(into: &chunk)
    }

    /// Whether the place of an earlier time is missing, in a track with alternating times and places.
    private var isLastTimeOfPlace: Bool { alternates && count.places == 1 && count.times > 1 }

    private mutating func takeFixes(into chunk: inout TrackChunk) -> [Fix] {
        if emptyTimes > 0 {
            chunk.report(
                .incomplete, line: line, "gx:Track: \(emptyTimes) when without a time: expected one for each place")
        }
        if isLastTimeOfPlace { times.removeFirst(times.count - 1) }
        defer { clear() }
        return zip(times, places).compactMap { time, place in
            guard let time, let place else { return nil }
            return Fix(time: time, coordinate: place.coordinate, altitude: place.altitude)
        }
    }

    private mutating func clear() {
        times.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
        count = (0, 0)
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
