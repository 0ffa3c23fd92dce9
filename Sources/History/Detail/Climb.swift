/// How far a way led up, without the noise of altitudes: a mark follows the altitude and is dragged along only at the ends of
/// a play of five metres, and what it rises is the climb.
///
/// So five metres to and fro are no climb, and of each larger rise all but five metres count. Engineers call the rule
/// backlash, or the play operator. Where a stretch leaves the mark, and how far it rises there, are simple functions of where
/// the mark stood before, so two stretches are joined exactly, however they were cut.
struct Climb: Sendable, Hashable {
    /// In centimetres.
    static let play: Int64 = 500
    /// Altitudes of vehicles and aircraft, in centimetres; others are errors and no climb.
    static let altitudes: ClosedRange<Int64> = -10_000_000...10_000_000
    /// More than a track can come to; sums end there.
    private static let limit: Int64 = 1 << 60

    /// The mark stands here or higher behind the stretch, in centimetres,
    let lowest: Int64
    /// and here or lower; between them it stands where it stood before.
    let highest: Int64
    /// A mark that stood lower than this is lifted to it first.
    let entry: Int64
    /// What the mark rises besides, wherever it stood: what a way that begins here comes to.
    let centimetres: Int64

    /// A stretch of one point; `nil` at an altitude where no vehicle is.
    init?(at altitude: Int64) {
        guard Self.altitudes.contains(altitude) else { return nil }
        self.init(altitude - Self.play, altitude, entry: altitude - Self.play, 0)
    }

    /// A stretch as it was stored; `nil` for numbers that are those of none.
    init?(lowest: Int64, highest: Int64, entry: Int64, centimetres: Int64) {
        let marks = Self.altitudes.lowerBound - Self.play...Self.altitudes.upperBound
        guard lowest <= highest, [lowest, highest, entry].allSatisfy(marks.contains),
            (0...Self.limit).contains(centimetres)
        else { return nil }
        self.init(lowest, highest, entry: entry, centimetres)
    }

    private init(_ lowest: Int64, _ highest: Int64, entry: Int64, _ centimetres: Int64) {
        self.lowest = lowest
        self.highest = highest
        self.entry = entry
        self.centimetres = centimetres
    }

    /// This stretch and one that follows.
    func joined(to next: Climb) -> Climb {
        let lifted = max(0, next.entry - highest)
        return Climb(
            min(max(lowest, next.lowest), next.highest), min(max(highest, next.lowest), next.highest),
            // A mark that may stand anywhere between the ends is lifted to the next stretch's entry from there.
            entry: lowest < highest ? min(max(next.entry, lowest), highest) : entry,
            min(centimetres + lifted + next.centimetres, Self.limit))
    }
}

extension Climb? {
    /// Goes on with a stretch that follows, if it has altitudes.
    mutating func join(_ next: Climb?) {
        guard let next else { return }
        self = self?.joined(to: next) ?? next
    }
}
