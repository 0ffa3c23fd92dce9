internal import TrackEngine

/// A `gx:Track` as it is read: its times, which the schema puts before all places, wait for their places.
struct KMLTrack {
    /// How many times may wait: three days of a fix a second, 4 MB.
    static let maximumTimes = 262_144

    /// The line of its start tag.
    let line: Int
    private var times: [Timestamp?] = []
    private var next = 0
    private var hasReportedExcess = false

    init(line: Int) {
        self.line = line
    }

    /// Takes the text of a `when`; one that is empty says that the time is unknown.
    mutating func addTime(_ text: Span<UInt8>, line: Int, into chunk: inout TrackChunk) {
        guard times.count < Self.maximumTimes else { return reportExcess(line: line, into: &chunk) }
        let time = Timestamp(text: text)
        if time == nil, text.count > 0 {
            chunk.report(.malformed, line: line, "when: expected the time as RFC 3339")
        }
        times.append(time)
    }

    private mutating func reportExcess(line: Int, into chunk: inout TrackChunk) {
        guard !hasReportedExcess else { return }
        hasReportedExcess = true
        chunk.report(.oversized, line: line, "expected at most \(Self.maximumTimes) times before their places")
    }

    /// The time of the next place; `nil` where there is none, which has been reported or is here.
    mutating func nextTime(line: Int, into chunk: inout TrackChunk) -> Timestamp? {
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
            while offset < text.count, text[offset].isWhiteSpace || text[offset] == UInt8(ascii: ",") { offset += 1 }
        }
        guard count >= 2 else { return nil }
        coordinate = Coordinate(latitude: numbers[1], longitude: numbers[0])
        altitude = count == 3 ? Self.altitude(numbers[2], mode) : nil
    }

    private static func altitude(_ height: Double, _ mode: HeightMode) -> Double? {
        switch mode {
        case .clampToGround: height == 0 ? nil : height
        case .absolute: height
        case .relative: nil
        }
    }
}
