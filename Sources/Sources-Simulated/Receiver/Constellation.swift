/// How many satellites a receiver uses: a number that now and then changes by one.
struct Constellation: Sendable {
    /// 6 to 14.
    private(set) var used: UInt8 = 10

    /// Some are too low in the sky to be used.
    var visible: UInt8 { used + 3 }

    /// How much worse (or better, below 1) than with ten satellites the solution is.
    var dilution: Double { 10 / Double(used) }

    /// Every twenty seconds or so a satellite comes or goes.
    mutating func advance(bySeconds step: Double, using random: inout SplitMix64) {
        let changes = random.chance(step / 20)
        let rises = random.chance(0.5)
        guard changes else { return }
        used = rises ? min(used + 1, 14) : max(used - 1, 6)
    }
}
