import Testing
import TrackEngine

/// A place far away after a silence, and speeds that only count near each other in time.
@Suite struct JumpGateTests {
    static func pipeline(_ change: (inout RecordingConfiguration) -> Void = { _ in }) -> TrackPipeline {
        QualityGateTests.pipeline {
            $0.maximumJump = 500
            change(&$0)
        }
    }

    @Test func `a fix far away after a silence waits for a second one beside it`() {
        var pipeline = Self.pipeline()
        #expect(pipeline.feed(Road.fix(0)) == ["0: first, moves, motionchange"])
        #expect(pipeline.feed(Road.fix(120, metres: 500.01)) == ["120: unconfirmed-jump"])
        #expect(pipeline.feed(Road.fix(121, metres: 650)) == ["121: distance, moves"])
        #expect(pipeline.feed(Road.fix(122, metres: 680)) == ["122: distance, moves"])
    }

    @Test func `nearer, or sooner, it passes at once`() {
        var pipeline = Self.pipeline()
        #expect(pipeline.feed(Road.fix(0)) == ["0: first, moves, motionchange"])
        #expect(pipeline.feed(Road.fix(120, metres: 499.9)) == ["120: distance, moves"])
        #expect(pipeline.feed(Road.fix(239.9, metres: 9000)) == ["239: distance, moves"])
    }

    @Test func `after a relocation the next fix may lie anywhere, but not at any time, and the one after it may not`() {
        var pipeline = Self.pipeline { $0.maximumSpeed = 30 }
        _ = pipeline.feed(Road.fix(0))
        _ = pipeline.feed(Road.fix(1))
        pipeline.interrupt { _, _ in }
        pipeline.relocate()
        #expect(pipeline.feed(Road.fix(0.5, metres: 9000)) == ["0: backward-time"])
        #expect(pipeline.feed(Road.fix(200, metres: 9000)) == ["200: resumed, moves, motionchange"])
        #expect(pipeline.feed(Road.fix(201, metres: 9100)) == ["201: implausible-speed"])
    }

    @Test func `a place that nobody confirms is forgotten when the old one comes again`() {
        var pipeline = Self.pipeline()
        _ = pipeline.feed(Road.fix(0))
        #expect(pipeline.feed(Road.fix(200, metres: 3000)) == ["200: unconfirmed-jump"])
        #expect(pipeline.feed(Road.fix(201, metres: 20)) == ["201: distance, moves"])
        #expect(pipeline.feed(Road.fix(400, metres: 3000)) == ["400: unconfirmed-jump"])
        #expect(pipeline.feed(Road.fix(401, metres: 2815)) == ["401: unconfirmed-jump"])
        #expect(pipeline.feed(Road.fix(402, metres: 2960)) == ["402: distance, moves"])
    }

    @Test func `five fixes that agree confirm it, however far apart they are`() {
        var pipeline = Self.pipeline()
        _ = pipeline.feed(Road.fix(0))
        let words = (0..<6).flatMap { pipeline.feed(Road.fix(600 + Double($0) * 10, metres: 9000 + Double($0) * 600)) }
        #expect(words.prefix(4).allSatisfy { $0.hasSuffix("unconfirmed-jump") } && words.count == 6)
        #expect(words.suffix(2).allSatisfy { $0.contains("distance, moves") })
    }

    @Test(arguments: [(36.0, 5.0), (70, 3), (230, 1)])
    func `where the object goes on as fast as it came, the second fix confirms it`(_ speed: Double, _ period: Double) {
        var pipeline = Self.pipeline()
        _ = pipeline.feed(Road.fix(0))
        #expect(pipeline.feed(Road.fix(180, metres: 180 * speed)) == ["180: unconfirmed-jump"])
        for index in 1...10 {
            let second = 180 + Double(index) * period
            let words = pipeline.feed(Road.fix(second, metres: second * speed))
            #expect(words.count == 1 && words.allSatisfy { $0.contains("distance") }, "\(words)")
        }
    }

    @Test func `of a source that says something each two minutes the first jump alone waits`() {
        var pipeline = Self.pipeline()
        _ = pipeline.feed(Road.fix(0))
        let words = (1...20).flatMap { pipeline.feed(Road.fix(Double($0) * 120, metres: Double($0) * 3000)) }
        #expect(words.count == 20 && words.count { $0.contains("unconfirmed-jump") } == 1, "\(words)")
    }

    @Test func `it waits on under another configuration, and no longer without the gate`() {
        var configuration = RecordingConfiguration()
        configuration.maximumJump = 500
        var pipeline = TrackPipeline(configuration, timeBase: .fixTime)
        _ = pipeline.feed(Road.fix(0))
        _ = pipeline.feed(Road.fix(200, metres: 3000))
        configuration.maximumJump = 400
        var changed = pipeline.reconfigured(configuration)
        #expect(changed.feed(Road.fix(201, metres: 3010)) == ["201: distance, moves"])
        configuration.maximumJump = nil
        var without = pipeline.reconfigured(configuration)
        #expect(without.feed(Road.fix(201, metres: 9000)) == ["201: distance, moves"])
    }

    @Test func `a speed counts only within the time that is set`() {
        var pipeline = QualityGateTests.pipeline {
            $0.maximumSpeed = 50
            $0.maximumSpeedWithin = .seconds(5)
        }
        _ = pipeline.feed(Road.fix(0))
        #expect(pipeline.feed(Road.fix(5, metres: 251)) == ["5: implausible-speed"])
        #expect(pipeline.feed(Road.fix(5.1, metres: 300)) == ["5: distance, moves"])
    }

    @Test func `a speed that the receiver knows well is believed more than the place before`() {
        var pipeline = QualityGateTests.pipeline {
            $0.maximumSpeed = 50
            $0.trustedSpeed = 61
            $0.disableSpeedMultiplier = true
        }
        _ = pipeline.feed(Road.fix(0))
        for (speed, accuracy) in [(30, 2.1), (61.1, 1), (30, nil), (nil, 1)] as [(Double?, Double?)] {
            let fix = Fix(
                time: Road.fix(1).time, coordinate: Road.fix(1, metres: 400).coordinate, speed: speed,
                speedAccuracy: accuracy)
            #expect(pipeline.feed(fix) == ["1: implausible-speed"])
        }
        let trusted = Fix(
            time: Road.fix(1).time, coordinate: Road.fix(1, metres: 400).coordinate, speed: 61, speedAccuracy: 2)
        #expect(pipeline.feed(trusted) == ["1: distance, moves"])
    }
}
