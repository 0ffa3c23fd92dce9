package import TrackEngine

/// A `gx:Track` as it is read: its times, which the schema puts before all places, wait for their places.
package struct KMLTrack {
    /// How many times may wait.
    private let maximumTimes: Int
    /// The line of its start tag.
    let line: Int
    private var times: [Timestamp?] = []
    private var next = 0
    private var hasReportedExcess = false

    /// - Parameters:
    ///   - line: the line of its start tag.
    ///   - maximumTimes: how many times may wait; by default three days of a fix a second, 4 MB.
    package init(line: Int, maximumTimes: Int = 262_144) {
        self.line = line
        self.maximumTimes = maximumTimes
    }

    /// Takes the text of a `when`; one that is empty says that the time is unknown.
    package mutating func addTime(_ text: Span<UInt8>, line: Int, into chunk: inout TrackChunk) {
        // Once a time has been left out, later ones would go to places that are not theirs.
        guard !hasReportedExcess, times.count - next < maximumTimes else {
            return reportExcess(line: line, into: &chunk)
        }
        if next >= min(4096, maximumTimes), next > times.count / 2 {
            times.removeFirst(next)
            next = 0
        }
        let time = Timestamp(text: text)
        if time == nil, text.count > 0 {
            chunk.report(.malformed, line: line, "when: expected the time as RFC 3339")
        }
        times.append(time)
    }

    private mutating func reportExcess(line: Int, into chunk: inout TrackChunk) {
        guard !hasReportedExcess else { return }
        hasReportedExcess = true
        chunk.report(.oversized, line: line, "expected at most \(maximumTimes) times before their places")
    }

    /// The time of the next place; `nil` where there is none, which has been reported or is here.
    package mutating func nextTime(line: Int, into chunk: inout TrackChunk) -> Timestamp? {
        guard next < times.count else {
            if !hasReportedExcess { chunk.report(.incomplete, line: line, "gx:coord: expected a when for it") }
            return nil
        }
        let time = times[next]
        next += 1
        if next == times.count {
            times.removeAll(keepingCapacity: true)
            next = 0
        }
        return time
    }

    /// Reports times that got no place.
    func finish(into chunk: inout TrackChunk) {
        guard next < times.count else { return }
        chunk.report(.incomplete, line: line, "gx:Track: expected a gx:coord for each when")
    }
}

/// A place of KML: numbers in the order longitude, latitude, height.
struct KMLPlace: Hashable {
    /// What a height is measured from (`altitudeMode`).
    enum HeightMode {
        /// The height is of no account. Writers put 0 there where they know none.
        case clampToGround
        /// Mean sea level.
        case absolute
        /// The ground, or the sea's floor, whose height nobody knows here.
        case relative
    }

    let coordinate: Coordinate
    /// Metres above mean sea level.
    let altitude: Double?

    /// Reads a place whose numbers are separated by commas or white space; `nil` for anything but two or three numbers.
    init?(_ text: Span<UInt8>, _ mode: HeightMode) {
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

    private static func altitude(_ height: Double, _ mode: HeightMode) -> Double? {
        switch mode {
        case .clampToGround: height == 0 ? nil : height
        case .absolute: height
        case .relative: nil
        }
    }
}
