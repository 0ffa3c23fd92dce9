import Foundation
import Testing
import TrackEngine

/// What the deviation filter holds and does is bounded, whatever the track.
@Suite("Deviation filter: what it costs")
struct DeviationCostTests {
    /// The room of every array within a value, in elements.
    private static func room(in value: Any) -> Int {
        if let array = value as? any ArrayRoom { return array.room }
        return Mirror(reflecting: value).children.reduce(0) { $0 + room(in: $1.value) }
    }

    @Test(arguments: TestTracks.all)
    func `it holds 256 fixes and two candidates, on any track`(_ maker: TestTracks.Maker) {
        var filter = DeviationFilter(maximumDeviation: 10, maximumAltitudeDeviation: 10)
        let atFirst = Self.room(in: filter)
        #expect(atFirst >= 256 && atFirst < 600)
        for fix in maker.fixes(3000, seed: 7) { filter.offer(fix) { _ in } }
        #expect(Self.room(in: filter) == atFirst)
    }

    @Test(arguments: [20_000])
    func `no call takes long, however long nothing has been decided`(_ count: Int) {
        // Straight on for an hour and more, then to and fro by just less than the bound, so that cones stay open though
        // hardly a fix can be reached, then far away, which closes them all at once; over and over.
        var filter = DeviationFilter(maximumDeviation: 10)
        var (kept, worst) = (0, 0.0)
        for second in 0..<count {
            let phase = second % 5000
            let aside = phase < 4500 ? 0 : phase < 4990 ? (phase % 2 == 0 ? 9.9 : -9.9) : 5000
            let coordinate = Coordinate(latitude: Double(second) * 1e-5, longitude: 10 + aside / 111_319.5)
            let fix = Fix(time: Road.start.advanced(by: .seconds(second)), coordinate: coordinate)
            let start = Self.processorTime()
            filter.offer(fix) { _ in kept += 1 }
            worst = max(worst, Self.processorTime() - start)
        }
        #expect(kept > 8)
        // 65 536 looks; a thousand times what they take in a release build, without the optimiser and on any machine.
        #expect(worst < 1, "\(worst) s")
    }

    /// What this thread has computed, in seconds; what other programs do does not count.
    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}

private protocol ArrayRoom {
    var room: Int { get }
}

extension Array: ArrayRoom {
    fileprivate var room: Int { capacity }
}
