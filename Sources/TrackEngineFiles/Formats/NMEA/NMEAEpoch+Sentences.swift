internal import TrackEngine

/// Adds each kind of sentence to its epoch. Field numbers are those of NMEA 0183 4.10; field 0 is the address.
extension NMEAEpoch {
    /// GGA: 1 time, 2-5 position, 6 quality, 7 satellites, 8 HDOP, 9 altitude, 11 geoid separation.
    @inline(__always)
    mutating func addGGA(
        _ sentence: NMEASentence, _ claim: NMEAPositionStatus, in line: Span<UInt8>
    ) throws(NMEASentence.FieldError) {
        guard try take(claim, at: 6, "expected a quality from 0 to 8", position: 2, of: sentence, in: line) else {
            return
        }
        addSolution(7, of: sentence, in: line)
        geoidSeparation = geoidSeparation ?? sentence.number(11, in: line)
    }

    /// GNS: 1 time, 2-5 position, 6 a mode for each system, 7 satellites, 8 HDOP, 9 altitude, 10 geoid separation.
    mutating func addGNS(
        _ sentence: NMEASentence, _ claim: NMEAPositionStatus, in line: Span<UInt8>
    ) throws(NMEASentence.FieldError) {
        guard try take(claim, at: 6, "expected a mode", position: 2, of: sentence, in: line) else { return }
        addSolution(7, of: sentence, in: line)
        geoidSeparation = geoidSeparation ?? sentence.number(10, in: line)
    }

    /// RMC: 1 time, 2 status, 3-6 position, 7 knots, 8 course, 9 date, 12 mode.
    @inline(__always)
    mutating func addRMC(
        _ sentence: NMEASentence, _ claim: NMEAPositionStatus, in line: Span<UInt8>
    ) throws(NMEASentence.FieldError) {
        guard try take(claim, at: 2, "expected a status", position: 3, of: sentence, in: line) else { return }
        if let knots = sentence.number(7, in: line) { speed = knots * Knot.metresPerSecond }
        course = sentence.number(8, in: line) ?? course
    }

    /// GLL: 1-4 position, 5 time, 6 status, 7 mode. Many receivers round the position more than in GGA.
    mutating func addGLL(
        _ sentence: NMEASentence, _ claim: NMEAPositionStatus, in line: Span<UInt8>
    ) throws(NMEASentence.FieldError) {
        _ = try take(claim, at: 6, "expected a status", position: 1, isRounded: true, of: sentence, in: line)
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

    /// GST: 6, 7 and 8 are the standard deviations of latitude, longitude and altitude in metres.
    mutating func addGST(_ sentence: NMEASentence, in line: Span<UInt8>) {
        if let north = sentence.number(6, in: line), let east = sentence.number(7, in: line) {
            horizontalAccuracy = NMEAAccuracy.radius(north: north, east: east)
        }
        verticalAccuracy = sentence.number(8, in: line).map(NMEAAccuracy.height) ?? verticalAccuracy
    }

    /// Applies the claim of a sentence and its position, if that is the best of the epoch. Returns false if the
    /// sentence claims no fix.
    ///
    /// A sentence without a claim has no position either; otherwise it is cut, or one of its fields is lost.
    @inline(__always)
    private mutating func take(
        _ claim: NMEAPositionStatus, at field: Int, _ expectation: StaticString, position index: Int,
        isRounded: Bool = false,
        of sentence: NMEASentence, in line: Span<UInt8>
    ) throws(NMEASentence.FieldError) -> Bool {
        switch claim {
        case .noFix: return false
        case .nothing:
            guard sentence.fieldCount >= field, sentence.letter(index, in: line) == nil else {
                throw NMEASentence.FieldError(expectation: expectation)
            }
            return false
        case .fix(let kind):
            guard let position = try sentence.coordinate(index, in: line) else {
                throw NMEASentence.FieldError(expectation: "expected a position with a valid fix")
            }
            let rank = 2 * (kind ?? .normal).solutionRank - (isRounded ? 1 : 0) + Self.bonus(of: position)
            if position.isNullIsland, coordinate?.isNullIsland == false { return false }
            if coordinate?.isNullIsland == true, !position.isNullIsland { forgetSolution() }
            if rank > coordinateRank { (coordinate, coordinateRank) = (position, rank) }
            isSimulated = isSimulated || kind == .simulated
            status = isSimulated ? .simulated : Fix.Status.better(status, kind)
            return true
        }
    }

    /// Forgets the values of a sentence with a lost position: where there is a better one, the rest of it does not
    /// count, either.
    private mutating func forgetSolution() {
        (speed, course, altitude, geoidSeparation) = (nil, nil, nil, nil)
        (satellitesUsed, horizontalDilution, status) = (nil, nil, nil)
    }

    /// The advantage of a whole position over one with a latitude or longitude of 0, and of that over one with both:
    /// the receiver may have lost them.
    private static func bonus(of position: Coordinate) -> Int {
        position.isNullIsland ? 1 : position.isOnAxis ? 100 : 200
    }

    /// Satellites, HDOP and altitude, which follow each other in GGA and GNS.
    @inline(__always)
    private mutating func addSolution(_ index: Int, of sentence: NMEASentence, in line: Span<UInt8>) {
        satellitesUsed = satellitesUsed ?? sentence.count(index, in: line)
        horizontalDilution = sentence.dilution(index + 1, in: line) ?? horizontalDilution
        altitude = altitude ?? sentence.number(index + 2, in: line)
    }
}
