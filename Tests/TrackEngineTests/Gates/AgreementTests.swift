import Testing
import TrackEngine

/// Several fixes that agree with each other win over one that does not.
@Suite("Agreement")
struct AgreementTests {
    /// Seconds 0 to 3000 at 10 m/s, and one fix among them dated four days ahead.
    static let fourDaysAhead: [Fix] = (0...3000).map { (second: Int) in
        Road.fix(Double(second) + (second == 5 ? 4 * 86_400 : 0), metres: Double(second) * 10, speed: 10)
    }

    static func rejections(_ words: [String]) -> [String: Int] {
        let reasons = words.map { String($0.drop { $0 != " " }.dropFirst()) }
        return Dictionary(reasons.filter { !$0.contains(",") }.map { ($0, 1) }, uniquingKeysWith: +)
    }

    @Test
    func `one fix dated four days ahead costs the next four, not the rest of the file`() {
        var pipeline = MotionTests.pipeline()
        let words = Self.fourDaysAhead.flatMap { pipeline.feed($0) }
        #expect(Self.rejections(words)["backward-time"] == 4)
        #expect(words.count { $0.hasSuffix("distance, moves") } >= 290)
        #expect(pipeline.latest == Self.fourDaysAhead.last)
    }

    @Test(arguments: [TimeBase.fixTime, .arrival])
    func `so does a first fix dated ahead, live as well as replayed`(_ timeBase: TimeBase) {
        var pipeline = TrackPipeline(.calmGeo, timeBase: timeBase)
        var refused = 0
        for (number, fix) in ([Road.fix(400_000)] + Self.fourDaysAhead.prefix(5)).enumerated() {
            let decision = pipeline.process(fix, at: TrackInstant(nanoseconds: Int64(number) * 1_000_000_000))
            if decision == .reject(.backwardTime) { refused += 1 }
        }
        #expect(refused == 4)
        #expect(pipeline.latest?.time == Road.fix(4).time)
    }

    @Test
    func `after a wild time the tracked object comes to rest as always`() {
        var pipeline = MotionTests.pipeline()
        _ = pipeline.feed(Road.fix(0))
        _ = pipeline.feed(Road.fix(400_000))
        let words = pipeline.feed((1...300).map { Road.fix(Double($0), speed: 0) }).filter { !$0.contains("standby") }
        #expect(words.filter { !$0.contains("backward") } == ["60: still, rests, motionchange"])
        #expect(pipeline.isStandby)
    }

    @Test
    func `fixes that are behind what is recorded already stay refused, however many agree`() {
        var pipeline = MotionTests.pipeline()
        let drive = (0...100).map { Road.fix(Double($0), metres: Double($0) * 10, speed: 10) }
        _ = pipeline.feed(drive)
        let words = drive.flatMap { pipeline.feed($0) }
        #expect(Self.rejections(words) == ["backward-time": 100, "duplicate-time": 1])
    }

    @Test
    func `what has been left as wild is not recorded again when it is repeated`() {
        var pipeline = MotionTests.pipeline()
        var words = Self.fourDaysAhead.prefix(100).flatMap { pipeline.feed($0) }
        words += pipeline.feed(Self.fourDaysAhead[5])
        #expect(words.last?.hasSuffix(": duplicate-time") == true)
    }

    @Test
    func `fixes that do not agree with each other win over nothing`() {
        var pipeline = MotionTests.pipeline()
        _ = pipeline.feed(Road.fix(0))
        _ = pipeline.feed(Road.fix(400_000))
        // Each is dated before the one before it.
        let words = (1...50).flatMap { pipeline.feed(Road.fix(Double(1000 - $0), metres: 100)) }
        #expect(Self.rejections(words) == ["backward-time": 50])
    }

    @Test
    func `with maximumSpeed one wild first fix costs the next four, not all`() {
        var pipeline = MotionTests.pipeline { $0.maximumSpeed = 60 }
        _ = pipeline.feed(Road.fix(0, metres: 5_000_000))
        let words = (1...3000).flatMap { pipeline.feed(Road.fix(Double($0), metres: Double($0) * 10, speed: 10)) }
        #expect(Self.rejections(words)["implausible-speed"] == 4)
        #expect(words.count { $0.hasSuffix("distance, moves") } >= 295)
    }

    @Test
    func `the way back from an outlier is not travelled`() {
        var pipeline = MotionTests.pipeline { $0.maximumSpeed = 60 }
        _ = pipeline.feed(Road.fix(0, metres: 5_000_000))
        for second in 1...3000 { _ = pipeline.feed(Road.fix(Double(second), metres: Double(second) * 10, speed: 10)) }
        #expect((29_900...30_000).contains(pipeline.odometer))
    }

    @Test
    func `a fix that the gates refuse lets no time pass`() {
        var pipeline = MotionTests.pipeline()
        _ = pipeline.feed(MotionTests.parked(0...50))
        let island = Fix(time: Road.fix(3650).time, coordinate: Coordinate(latitude: 0, longitude: 0))
        #expect(pipeline.feed(island) == ["3650: null-island"])
        #expect(pipeline.feed(Road.fix(51, metres: 100, speed: 10)) == ["51: distance, moves"])
    }
}
