import Testing
import TrackEngine

@Suite struct ActivityTests {
    static func classifier(_ speeds: [(Double, Int)]) -> ActivityClassifier {
        var classifier = ActivityClassifier()
        var second: Int64 = 0
        for (speed, seconds) in speeds {
            for _ in 0..<seconds {
                classifier.observe(speed: speed, at: TrackInstant(nanoseconds: second * 1_000_000_000))
                second += 1
            }
        }
        return classifier
    }

    @Test(
        arguments: [
            (0.2, .stationary), (1.4, .walking), (3, .running), (6, .cycling), (14, .driving), (60, .driving),
        ] as [(Double, Activity)])
    func `speed tells the activity`(_ speed: Double, _ activity: Activity) {
        #expect(Self.classifier([(speed, 1)]).current == activity)
    }

    @Test
    func `a change must last three seconds`() {
        #expect(Self.classifier([(0, 10), (1.4, 3)]).current == .stationary)
        #expect(Self.classifier([(0, 10), (1.4, 4)]).current == .walking)
        #expect(Self.classifier([(0, 10), (1.4, 2), (0, 1), (1.4, 3)]).current == .stationary)
    }

    @Test
    func `a speed near a bound does not flicker`() {
        #expect(Self.classifier([(2.0, 10), (2.4, 20)]).current == .walking)
        #expect(Self.classifier([(2.0, 10), (2.6, 20)]).current == .running)
    }

    @Test
    func `a car in a queue is still a car, a parked one is not`() {
        #expect(Self.classifier([(20, 10), (5, 50)]).current == .driving)
        #expect(Self.classifier([(20, 10), (5, 70)]).current == .cycling)
        #expect(Self.classifier([(20, 10), (0, 5)]).current == .stationary)
    }

    @Test
    func `a car that starts from a light is not taken for a walker on the way`() {
        var classifier = Self.classifier([(0, 10)])
        var seen: Set<Activity> = []
        for tick in 0..<20 {
            let moment = TrackInstant(nanoseconds: Int64(10 + tick) * 1_000_000_000)
            classifier.observe(speed: min(14, Double(tick) * 2.5), at: moment)
            seen.insert(classifier.current)
        }
        #expect(seen == [.stationary, .driving])
    }

    @Test
    func `records carry the activity only with fetchActivity, the source's word first`() {
        var configuration = RecordingConfiguration.calmGeo
        var silent = TrackPipeline(configuration, timeBase: .fixTime)
        configuration.fetchActivity = true
        var inferring = TrackPipeline(configuration, timeBase: .fixTime)
        var told = inferring
        func activity(_ pipeline: inout TrackPipeline, _ fix: Fix) -> ActivityEstimate? {
            guard case .record(let plan) = pipeline.process(fix, at: TrackInstant(fix.time)) else { return nil }
            return plan.activity
        }
        #expect(activity(&silent, Road.fix(0, speed: 14)) == nil)
        #expect(activity(&inferring, Road.fix(0, speed: 14)) == ActivityEstimate(.driving, confidence: 100))
        #expect(
            activity(&told, Road.fix(0, speed: 14, activity: .cycling)) == ActivityEstimate(.cycling, confidence: 100))
    }
}

/// Trace's gating, as its specification has it.
@Suite struct MotionGateTests {
    static func isOpen(_ activities: [(Activity, Int)], required: Int = 3) -> Bool {
        var gate = MotionGate(required: .seconds(required))
        var second: Int64 = 0
        for (activity, seconds) in activities {
            for _ in 0..<seconds {
                gate.observe(activity, at: TrackInstant(nanoseconds: second * 1_000_000_000))
                second += 1
            }
        }
        return gate.isOpen
    }

    @Test
    func `it opens once a moving activity has lasted, and unknown counts as moving`() {
        #expect(!Self.isOpen([(.stationary, 5)]))
        #expect(!Self.isOpen([(.stationary, 5), (.walking, 3)]))
        #expect(Self.isOpen([(.stationary, 5), (.walking, 4)]))
        #expect(Self.isOpen([(.unknown, 4)]))
    }

    @Test
    func `another moving activity restarts the wait`() {
        #expect(!Self.isOpen([(.walking, 3), (.cycling, 3)]))
        #expect(Self.isOpen([(.walking, 3), (.cycling, 4)]))
    }

    @Test
    func `a short stop does not close it, a lasting one does`() {
        #expect(Self.isOpen([(.walking, 5), (.stationary, 3), (.walking, 1)]))
        #expect(!Self.isOpen([(.walking, 5), (.stationary, 4)]))
        #expect(Self.isOpen([(.walking, 5), (.stationary, 3), (.walking, 1), (.stationary, 3)]))
    }

    @Test
    func `with 0 it follows the activity at once`() {
        #expect(Self.isOpen([(.walking, 1)], required: 0))
        #expect(!Self.isOpen([(.walking, 1), (.stationary, 1)], required: 0))
    }

    @Test
    func `while it is closed the pipeline records nothing and says why`() {
        var configuration = RecordingConfiguration.calmGeo
        configuration.requiredMotionDuration = .seconds(3)
        var pipeline = TrackPipeline(configuration, timeBase: .fixTime)
        #expect(pipeline.feed(Road.fix(0, speed: 0)) == ["0: not-in-motion"])
        let words = (1...8).flatMap { pipeline.feed(Road.fix(Double($0), metres: Double($0) * 5, speed: 5)) }
        #expect(words.filter { $0.contains("first") }.count == 1)
        #expect(words.prefix(6).allSatisfy { $0.hasSuffix("not-in-motion") })
    }
}
