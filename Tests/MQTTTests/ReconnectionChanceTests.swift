import TestSupport
import Testing
import TrackEngine
import TrackEngineMQTT

@Suite("Chance in the waits between attempts")
struct ReconnectionChanceTests {
    private static let failures = 200

    /// The waits of one client after failures in a row.
    private func waits(seed: UInt64, maximum: Duration = .seconds(60)) -> [Duration] {
        var generator = Chance(state: seed)
        var reconnection = ConnectBackoff(Backoff(maximum: maximum, jitter: true))
        return (0..<Self.failures).map { _ in reconnection.failed(.unreachable, using: &generator) }
    }

    @Test(arguments: [5, 60, 600])
    func `No wait is longer than the formula's, and than the maximum, for ever`(_ maximum: Int) {
        for seed in 0..<50 as Range<UInt64> {
            for (index, wait) in waits(seed: seed, maximum: .seconds(maximum)).enumerated() {
                // 1, 3, 7, 15, … up to the maximum
                let formula = index < 20 ? min(maximum, (1 << (index + 1)) - 1) : maximum
                #expect(wait >= .zero && wait <= .seconds(formula))
            }
        }
    }

    @Test
    func `A fleet does not return in step: the first waits of a thousand clients are spread evenly over the second`() {
        var tenths = [Int](repeating: 0, count: 10)
        for seed in 0..<1000 as Range<UInt64> {
            let wait = waits(seed: seed)[0]
            tenths[min(9, Int(wait / .milliseconds(100)))] += 1
        }
        // 100 expected in each; 50 would be more than five standard deviations away.
        #expect(tenths.allSatisfy { (50...150).contains($0) }, "\(tenths)")
    }

    @Test
    func `Once at the maximum they are half of it on average, and come near to it`() {
        let waits = (0..<50 as Range<UInt64>).flatMap { self.waits(seed: $0).dropFirst(6) }
        let mean = waits.reduce(.zero, +) / waits.count
        #expect((.seconds(29)...(.seconds(31))).contains(mean))
        #expect(waits.contains { $0 > .seconds(59) })
    }

    @Test
    func `The same chance gives the same waits, another gives others`() {
        #expect(waits(seed: 1) == waits(seed: 1))
        #expect(waits(seed: 1) != waits(seed: 2))
    }
}

/// Reproducible chance: SplitMix64 (Steele, Lea and Flood, 2014).
private struct Chance: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
