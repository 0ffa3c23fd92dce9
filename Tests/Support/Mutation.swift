/// Small damage to bytes, as fuzzers do it: for tests that feed parsers with what is nearly good.
package enum Mutation {
    /// Changes, removes, repeats or moves some bytes.
    package static func apply(to bytes: inout [UInt8], using random: inout some RandomNumberGenerator) {
        guard !bytes.isEmpty else { return bytes.append(UInt8.random(in: 0...255, using: &random)) }
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
        case 2: bytes.remove(at: place)
        case 3: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: place)
        case 4: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...40, using: &random)))
        default: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 60)], at: place)
        }
    }
}

/// The SplitMix64 generator of G. Steele, D. Lea and C. Flood (2014): the same numbers for the same seed.
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }
}
