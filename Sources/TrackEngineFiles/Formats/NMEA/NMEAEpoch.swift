internal import TrackEngine

/// The combined values of the sentences of one moment.
///
/// The first to name a value wins; but the dilution of GGA and GNS comes before GSA's, and the speed and course of
/// RMC before VTG's. The position is that of the best claim (``NMEAPositionStatus``): neither a sentence with "no fix"
/// nor one with a lost latitude or longitude (0) replaces a better position of another sentence.
struct NMEAEpoch {
    /// Nanoseconds since midnight UTC.
    let timeOfDay: Int64
    /// The line of the first sentence.
    let line: Int
    /// The days since 1970, if a sentence of the epoch contained the date.
    var day: Int64?
    /// The same, from a sentence without a fix: the receiver may not know the date.
    var doubtfulDay: Int64?
    var coordinate: Coordinate?
    /// The rank of the claim of the position; 0 without a position.
    var coordinateRank = 0
    /// Whether any sentence marks the position as simulated.
    var isSimulated = false
    /// Metres above mean sea level.
    var altitude: Double?
    /// Height of mean sea level above the ellipsoid, in metres.
    var geoidSeparation: Double?
    /// Metres per second.
    var speed: Double?
    /// Degrees from true north.
    var course: Double?
    var horizontalDilution: Float?
    var positionDilution: Float?
    var satellitesUsed: UInt8?
    var mode: Fix.Mode?
    var status: Fix.Status?
    var horizontalAccuracy: Double?
    var verticalAccuracy: Double?
    /// The talkers with a GLL without a time; the second one of a talker is of a later moment.
    private var untimedGLL: (UInt16, UInt16) = (0, 0)

    init(timeOfDay: Int64, line: Int) {
        self.timeOfDay = timeOfDay
        self.line = line
    }

    /// Whether GLL without a time belongs to this epoch: the first one of each talker, and of two talkers at most.
    mutating func takesUntimedGLL(of talker: UInt16) -> Bool {
        if untimedGLL.0 == 0 {
            untimedGLL.0 = talker
        } else if untimedGLL.1 == 0, untimedGLL.0 != talker {
            untimedGLL.1 = talker
        } else {
            return false
        }
        return true
    }

    /// The fix at a moment; `nil` where the receiver had none.
    ///
    /// A two-dimensional solution has no height: GGA then repeats the last one or has none.
    func fix(at time: Timestamp) -> Fix? {
        guard let coordinate else { return nil }
        let height = mode == .twoDimensional ? nil : altitude
        return Fix(
            time: time, coordinate: coordinate, altitude: height,
            ellipsoidalAltitude: height.flatMap { height in geoidSeparation.map { height + $0 } },
            horizontalAccuracy: horizontalAccuracy, verticalAccuracy: height == nil ? nil : verticalAccuracy,
            speed: speed, course: course?.knownCourse, horizontalDilution: horizontalDilution,
            positionDilution: positionDilution, satellitesUsed: satellitesUsed, mode: mode, status: status,
            flags: status == .simulated ? .simulated : [])
    }
}

extension Fix.Status {
    /// Creates a status from GGA's quality indicator; `nil` for 0 and for undefined values.
    init?(quality: UInt8) {
        switch quality {
        case UInt8(ascii: "1"): self = .normal
        case UInt8(ascii: "2"): self = .differential
        case UInt8(ascii: "3"): self = .precise
        case UInt8(ascii: "4"): self = .rtkFixed
        case UInt8(ascii: "5"): self = .rtkFloat
        case UInt8(ascii: "6"): self = .deadReckoning
        case UInt8(ascii: "7"): self = .surveyed
        case UInt8(ascii: "8"): self = .simulated
        default: return nil
        }
    }

    /// Creates a status from the mode indicator of RMC, GNS and VTG; `nil` for N, "not valid", and for undefined
    /// values.
    init?(modeIndicator: UInt8) {
        switch modeIndicator {
        case UInt8(ascii: "A"): self = .normal
        case UInt8(ascii: "D"): self = .differential
        case UInt8(ascii: "P"): self = .precise
        case UInt8(ascii: "R"): self = .rtkFixed
        case UInt8(ascii: "F"): self = .rtkFloat
        case UInt8(ascii: "E"): self = .deadReckoning
        case UInt8(ascii: "M"): self = .surveyed
        case UInt8(ascii: "S"): self = .simulated
        default: return nil
        }
    }
}
