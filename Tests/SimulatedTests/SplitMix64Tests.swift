import Testing
import TrackEngineSimulated

@Suite struct SplitMix64Tests {
    @Test func `the sequence is the published one for seed 1234567`() {
        var random = SplitMix64(seed: 1_234_567)
        let drawn = (0..<5).map { _ in random.next() }
        #expect(
            drawn == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
                4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
            ])
    }

    @Test func `units are spread evenly over zero up to but not including one`() {
        var random = SplitMix64(seed: 1)
        var tenths = Array(repeating: 0, count: 10)
        for _ in 0..<100_000 {
            let unit = random.unit()
            #expect(unit >= 0 && unit < 1)
            tenths[Int(unit * 10)] += 1
        }
        #expect(tenths.allSatisfy { abs($0 - 10_000) < 500 }, "\(tenths)")  // five standard deviations of 95
    }

    @Test func `gaussian numbers have mean 0, variance 1, two thirds within 1 and nothing beyond 6`() {
        var random = SplitMix64(seed: 2)
        let drawn = (0..<100_000).map { _ in random.gaussian() }
        let mean = drawn.reduce(0, +) / 100_000
        let variance = drawn.reduce(0) { $0 + $1 * $1 } / 100_000
        let within = drawn.count { abs($0) < 1 }
        #expect(abs(mean) < 0.016)
        #expect(abs(variance - 1) < 0.02)
        #expect(abs(Double(within) / 100_000 - 0.683) < 0.01)
        #expect(drawn.allSatisfy { abs($0) <= 6 })
    }

    @Test func `a generator that was split off goes another way`() {
        var parent = SplitMix64(seed: 3)
        var child = parent.split()
        #expect((0..<8).map { _ in parent.next() } != (0..<8).map { _ in child.next() })
    }

    @Test func `what has probability 0 never happens and what has 1 always does`() {
        var random = SplitMix64(seed: 4)
        #expect((0..<1_000).allSatisfy { _ in !random.chance(0) && random.chance(1) })
    }
}
