import Testing
import TrackEngine

@Suite struct BackoffTests {
    @Test(
        arguments: zip(0...12, [0, 1, 3, 7, 15, 31, 63, 127, 255, 511, 600, 600, 600]))
    func `CalmGeo's table`(_ tried: Int, _ seconds: Int) {
        #expect(Backoff().wait(tried: tried) == .seconds(seconds))
    }

    @Test
    func `a thousand failures, or the most there can be, still wait the maximum`() {
        #expect(Backoff().wait(tried: 1000) == .seconds(600))
        #expect(Backoff(maximum: .seconds(86_400)).wait(tried: .max) == .seconds(86_400))
        #expect(Backoff().wait(tried: -1) == .zero)
    }

    @Test
    func `full jitter draws from zero to the formula's value, and reaches both ends`() {
        var generator = SystemRandomNumberGenerator()
        let waits = (0..<2000).map { _ in Backoff(jitter: true).wait(tried: 4, using: &generator) }
        #expect(waits.allSatisfy { $0 >= .zero && $0 <= .seconds(15) })
        #expect(waits.contains { $0 < .seconds(1) })
        #expect(waits.contains { $0 > .seconds(14) })
        #expect(Backoff().wait(tried: 4, using: &generator) == .seconds(15))
    }
}
