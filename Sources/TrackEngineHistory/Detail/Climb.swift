/// The climb of a track without the noise of altitudes. A mark follows the altitude, but moves only at the ends of a
/// play of five metres; the sum of its rises is the climb.
///
/// So five metres to and fro are no climb, and of each larger rise all but five metres count. Engineers call the rule
/// backlash, or the play operator. The mark's position after a stretch, and its rise within the stretch, are simple
/// functions of its position before. So two stretches are joined exactly, however they were cut.
struct Climb: Sendable, Hashable {
    /// In centimetres.
    static let play: Int64 = 500
    /// Altitudes of vehicles and aircraft, in centimetres; others are errors and no climb.
    static let altitudes: ClosedRange<Int64> = -10_000_000...10_000_000
    /// A limit above the climb of any track; sums are capped here.
    private static let limit: Int64 = 1 << 60

    /// The lower bound of the mark after the stretch, in centimetres.
    let lowest: Int64
    /// The upper bound of the mark after the stretch; between the bounds the mark keeps its position from before.
    let highest: Int64
    /// A mark below this is first lifted to it.
    let entry: Int64
    /// The further rise of the mark, independent of its position before: the climb of a track that begins here.
    let centimetres: Int64

    /// A stretch of one point; `nil` at an altitude that no vehicle reaches.
    init?(at altitude: Int64) {
        guard Self.altitudes.contains(altitude) else { return nil }
        self.init(altitude - Self.play, altitude, entry: altitude - Self.play, 0)
    }

    /// A stored stretch; `nil` for invalid numbers.
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

    /// Returns the climb of this stretch and the next one together.
    func joined(to next: Climb) -> Climb {
        let lifted = max(0, next.entry - highest)
        return Climb(
            min(max(lowest, next.lowest), next.highest), min(max(highest, next.lowest), next.highest),
            // A mark anywhere between the bounds is lifted to the next stretch's entry from its position.
            entry: lowest < highest ? min(max(next.entry, lowest), highest) : entry,
            min(centimetres + lifted + next.centimetres, Self.limit))
    }
}

extension Climb? {
    /// Appends a stretch that follows, if it has altitudes.
    mutating func join(_ next: Climb?) {
        guard let next else { return }
        self = self?.joined(to: next) ?? next
    }
}
