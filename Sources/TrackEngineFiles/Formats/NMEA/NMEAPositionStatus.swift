internal import TrackEngine

/// The statement of one sentence about its position: the same rule for GGA, GNS, RMC and GLL.
///
/// | sentence | fields | claim |
/// |---|---|---|
/// | GGA | quality 4 | a fix, RTK fixed |
/// | GGA | quality 0 | no fix |
/// | GNS | modes `NR` | a fix, RTK fixed |
/// | GNS of one constellation | no mode | `nothing` |
/// | RMC, GLL | status `A`, no mode | a fix of an unknown kind |
/// | RMC, GLL | status `D`, mode `R` | a fix, RTK fixed: the status may also be the letter of a mode |
/// | RMC, GLL | status `V`, or mode `N` | no fix |
enum NMEAPositionStatus: Equatable {
    /// The fields are empty.
    case nothing
    /// The receiver has no position, even if the fields contain one.
    case noFix
    /// The position is valid, of this kind if it is known.
    case fix(Fix.Status?)

    /// The claim of GGA's quality indicator.
    init(quality: UInt8?) {
        switch quality {
        case nil: self = .nothing
        case UInt8(ascii: "0"): self = .noFix
        case .some(let digit): self = .fix(Fix.Status(quality: digit))
        }
    }

    /// The claim of GNS, which has a mode for each constellation: the best of them.
    init(modes: Range<Int>, in line: Span<UInt8>) {
        guard !modes.isEmpty else {
            self = .nothing
            return
        }
        var best: Fix.Status?
        for index in modes { best = Fix.Status.better(best, Fix.Status(modeIndicator: line[index])) }
        self = best.map { .fix($0) } ?? .noFix
    }

    /// The claim of RMC and GLL: a status, and since NMEA 2.3 a mode.
    @inline(__always)
    init(status: UInt8?, mode: UInt8?) {
        let kind = mode.flatMap { Fix.Status(modeIndicator: $0) }
        switch status {
        case nil where mode == nil: self = .nothing
        case _ where mode == UInt8(ascii: "N"): self = .noFix
        case UInt8(ascii: "A"): self = .fix(kind)
        case nil: self = kind.map { .fix($0) } ?? .noFix
        case .some(let letter):
            self = Fix.Status(modeIndicator: letter).map { .fix(Fix.Status.better($0, kind)) } ?? .noFix
        }
    }

    /// Whether there is a position.
    var isFix: Bool {
        if case .fix = self { true } else { false }
    }
}

extension Fix.Status {
    /// The more precise of two kinds of solution; a known kind precedes an unknown one.
    static func better(_ one: Fix.Status?, _ other: Fix.Status?) -> Fix.Status? {
        guard let one, let other else { return one ?? other }
        return other.solutionRank > one.solutionRank ? other : one
    }

    /// The rank of a kind of solution: the more precise, the higher.
    var solutionRank: Int {
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
