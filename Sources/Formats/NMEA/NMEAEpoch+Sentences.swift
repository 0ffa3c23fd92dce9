internal import TrackEngine

/// How each sentence adds to its epoch. Field numbers are those of NMEA 0183 4.10; field 0 is the address.
extension NMEAEpoch {
    /// GGA: 1 time, 2-5 position, 6 quality, 7 satellites, 8 HDOP, 9 altitude, 11 geoid separation.
    @inline(__always)
    mutating func addGGA(_ sentence: NMEASentence, in line: Span<UInt8>) throws(NMEASentence.FieldError) {
        guard let quality = sentence.letter(6, in: line) else {
            throw NMEASentence.FieldError(expectation: "expected a quality from 0 to 8")
        }
        guard quality != UInt8(ascii: "0") else {
            hasNoFix = true
            return
        }
        try addPosition(2, of: sentence, in: line)
        status = Fix.Status(quality: quality) ?? status
        addSolution(7, of: sentence, in: line)
        geoidSeparation = geoidSeparation ?? sentence.number(11, in: line)
    }

    /// GNS: 1 time, 2-5 position, 6 a mode for each system, 7 satellites, 8 HDOP, 9 altitude, 10 geoid separation.
    mutating func addGNS(_ sentence: NMEASentence, in line: Span<UInt8>) throws(NMEASentence.FieldError) {
        var best: Fix.Status?
        for index in sentence.field(6) {
            let next = Fix.Status(modeIndicator: line[index])
            if next.map(\.solutionRank) ?? 0 > best.map(\.solutionRank) ?? 0 { best = next }
        }
        guard let best else {
            hasNoFix = true
            return
        }
        try addPosition(2, of: sentence, in: line)
        status = status ?? best
        addSolution(7, of: sentence, in: line)
        geoidSeparation = geoidSeparation ?? sentence.number(10, in: line)
    }

    /// RMC: 1 time, 2 status, 3-6 position, 7 knots, 8 course, 9 date, 12 mode.
    @inline(__always)
    mutating func addRMC(_ sentence: NMEASentence, in line: Span<UInt8>) throws(NMEASentence.FieldError) {
        let mode = sentence.letter(12, in: line)
        guard sentence.letter(2, in: line) == UInt8(ascii: "A"), mode != UInt8(ascii: "N") else {
            hasNoFix = true
            return
        }
        try addPosition(3, of: sentence, in: line)
        if let knots = sentence.number(7, in: line) { speed = knots * Knot.metresPerSecond }
        course = sentence.number(8, in: line) ?? course
        status = status ?? mode.flatMap { Fix.Status(modeIndicator: $0) }
    }

    /// VTG: 1 true course, 2 "T", 5 knots, 7 km/h, 9 mode. Before NMEA 2.3 it had other fields and no "T".
    @inline(__always)
    mutating func addVTG(_ sentence: NMEASentence, in line: Span<UInt8>) {
        guard sentence.letter(2, in: line) == UInt8(ascii: "T"), sentence.letter(9, in: line) != UInt8(ascii: "N")
        else { return }
        course = course ?? sentence.number(1, in: line)
        speed =
            speed ?? sentence.number(5, in: line).map { $0 * Knot.metresPerSecond }
            ?? sentence.number(7, in: line).map { $0 / 3.6 }
    }

    /// GSA: 2 mode, 15 PDOP, 16 HDOP.
    @inline(__always)
    mutating func addGSA(_ sentence: NMEASentence, in line: Span<UInt8>) {
        switch sentence.letter(2, in: line) {
        case UInt8(ascii: "2"): mode = mode ?? .twoDimensional
        case UInt8(ascii: "3"): mode = .threeDimensional
        default: return
        }
        positionDilution = positionDilution ?? sentence.dilution(15, in: line)
        horizontalDilution = horizontalDilution ?? sentence.dilution(16, in: line)
    }

    /// GST: 6, 7 and 8 the standard deviations of latitude, longitude and altitude in metres.
    mutating func addGST(_ sentence: NMEASentence, in line: Span<UInt8>) {
        if let north = sentence.number(6, in: line), let east = sentence.number(7, in: line) {
            horizontalAccuracy = NMEAAccuracy.radius(north: north, east: east)
        }
        verticalAccuracy = sentence.number(8, in: line).map(NMEAAccuracy.height) ?? verticalAccuracy
    }

    @inline(__always)
    private mutating func addPosition(
        _ index: Int, of sentence: NMEASentence, in line: Span<UInt8>
    ) throws(NMEASentence.FieldError) {
        guard let position = try sentence.coordinate(index, in: line) else {
            throw NMEASentence.FieldError(expectation: "expected a position beside a valid fix")
        }
        coordinate = coordinate ?? position
    }

    /// Satellites, HDOP and altitude, which follow each other in GGA and GNS.
    @inline(__always)
    private mutating func addSolution(_ index: Int, of sentence: NMEASentence, in line: Span<UInt8>) {
        satellitesUsed = satellitesUsed ?? sentence.count(index, in: line)
        horizontalDilution = sentence.dilution(index + 1, in: line) ?? horizontalDilution
        altitude = altitude ?? sentence.number(index + 2, in: line)
    }
}

extension Fix.Status {
    /// Which of the modes that GNS names side by side describes the solution: the most precise one.
    fileprivate var solutionRank: Int {
        switch self {
        case .rtkFixed: 8
        case .rtkFloat: 7
        case .precise: 6
        case .differential: 5
        case .normal: 4
        case .deadReckoning, .combined: 3
        case .surveyed: 2
        case .simulated: 1
        }
    }
}
