import TestSupport
import Testing
import TrackEngine

/// Walks the stored properties of the pipeline, its gates and its motion, and of the policy before it: each survives a
/// restart, or is found out again for a reason that is named here. A new property fails.
@Suite struct PipelinePropertyTests {
    private static let survives = "survives"
    private static let configured = "configured"

    /// Each stored property, and what a restart makes of it.
    private static let properties: [String: String] = [
        "settings": configured, "timeBase": configured, "rollover": configured,
        "gates.minimumAccuracy": configured, "gates.minimumSatellites": configured, "gates.speed": configured,
        "gates.maximumAge": configured, "gates.maximumLead": configured, "gates.timeBase": configured,
        "gates.jump.distance": configured, "gates.jump.silence": configured,
        "gates.jump.candidate": "held back anew: the jump is confirmed one fix later",
        "gates.reference.passage": survives,
        "gates.reference.support": "counted anew: five fixes that agree replace the last record, as at a track's begin",
        "gates.reference.run": "counted anew: the fixes that replace the last record come up to five fixes later",
        "gates.reference.gap": "found again at the next jump in time; a recording is told that all comes after",
        "gates.reference.left": "only fixes of the earlier run have these times",
        "gates.axes.run": "counted anew: positions on the line are believed some fixes later",
        "gates.backwardSince": "counted anew: a corrected clock is believed a minute after the restart",
        "activity.classifier.current": survives, "activity.classifier.candidate": survives,
        "activity.classifier.candidateSince": "survives for the 104 s that matter, see PipelineResumeTests",
        "activity.gate.required": configured, "activity.gate.phase": survives,
        "recordedActivity": survives,
        "motion.rule": configured, "motion.filter": configured, "motion.stationaryRadius": configured,
        "motion.accuracyGain": configured, "motion.times": configured,
        "motion.combined.requiresAll": configured, "motion.combined.filter": configured,
        "motion.combined.interval": configured, "motion.combined.angle": configured,
        "motion.combined.last": survives, "motion.combined.course": survives,
        "motion.phase": survives, "motion.anchor": survives, "motion.recordedAccuracy": survives,
        "motion.latest": survives, "motion.latestMoment": survives,
        "motion.firstCause": "a pause makes the store forget the record: the next is the first of a track",
        "motion.isDeadlineSpent": "found out again at once: the record alone shows no rest",
        "late": "undecided fixes are decided anew by those that follow the record, see PipelineResumeTests",
        "travelled.metres": survives, "travelled.origin": survives, "travelled.scale": survives,
        "travelled.lastTime": survives, "travelled.lastSpeed": survives,
        "travelled.pending": "0 at a record; between two, the state beside the record has it",
        "travelled.isGuessing": "false at a record; between two, the state beside the record has it",
        "lastMovement": survives,
        "isInterrupted": "a pause makes the store forget the record",
    ]

    private static let parts: Set<String> = [
        "QualityGateList", "JumpGate", "GateReference", "AxisMonitor", "ActivityState", "ActivityClassifier",
        "MotionGate",
        "MotionStateMachine", "CombinedRule", "Odometer",
    ]

    /// Every gate and every part, so that each property is there.
    private static func pipeline(_ rule: RecordingRule) -> TrackPipeline {
        var configuration = RecordingConfiguration.calmGeo
        configuration.record = rule
        (configuration.maximumSpeed, configuration.maximumJump) = (100, 1000)
        configuration.requiredMotionDuration = .seconds(5)
        (configuration.interval, configuration.angle) = (.seconds(30), 30)
        return TrackPipeline(configuration, timeBase: .fixTime)
    }

    /// Two drives with turns, a rest between them, and a crawl in the second.
    private static let drive: [Fix] = {
        var metres = 0.0
        return (0...900).map { second in
            let speed = second < 200 || (500..<540).contains(second) || second > 600 ? 12.0 : second > 560 ? 0.6 : 0
            metres += speed
            let fix = Road.fix(Double(second), metres: metres)
            return Fix(
                time: fix.time, coordinate: fix.coordinate, horizontalAccuracy: Double(5 + second % 7), speed: speed,
                course: Double(second / 50 * 40 % 360))
        }
    }()

    private static func walk(_ value: Any) -> [String: String] { Mirror.storedProperties(of: value, parts: parts) }

    @Test func `each property of the pipeline survives, or has a reason why it need not`() {
        let found = Set(Self.walk(Self.pipeline(.any)).keys)
        #expect(found.subtracting(Self.properties.keys) == [], "say whether these survive, and show it")
        #expect(Set(Self.properties.keys).subtracting(found) == [])
    }

    /// With the rule `any` a record may show no movement: then the rule's own properties are those that the record has.
    @Test(arguments: [RecordingRule.distance, .any])
    func `what survives is equal after any record, and something here changes each`(_ rule: RecordingRule) {
        let survivors = Self.properties.filter {
            $0.value == Self.survives && $0.key.hasPrefix("motion.combined") == (rule == .any)
        }.keys
        let fresh = Self.walk(Self.pipeline(rule))
        var pipeline = Self.pipeline(rule)
        var changed: Set<String> = []
        for fix in Self.drive {
            while let due = pipeline.nextTimeout(before: fix) { pipeline.timeout(at: due) { _, _ in } }
            guard case .record(let plan) = pipeline.process(fix, at: TrackInstant(fix.time)) else { continue }
            var next = Self.pipeline(rule)
            next.resume(
                from: pipeline.checkpoint(after: plan.draft(of: fix, device: "d", source: "s")),
                at: TrackInstant(Road.start), wallClock: Road.fix(2000).time)
            let (before, after) = (Self.walk(pipeline), Self.walk(next))
            for path in survivors {
                #expect(after[path] == before[path], "\(path) after the record at \(fix.time)")
                if before[path] != fresh[path] { changed.insert(path) }
            }
        }
        #expect(Set(survivors).subtracting(changed) == [], "nothing here changes these: extend the track")
    }

    /// None of the policy's properties is stored: the rules and the places tell all of them.
    @Test func `each property of the policy is told again`() {
        let reasons = [
            "recording": "the places in the detector's state, or that recording is off, decide it at the start",
            "endedLegs": "pauses are counted from the start of the process, and the one that lasts ends the leg again",
            "position": "the next fix is told it; a leg that ended there goes on, by the place of the last record",
        ]
        let found = Mirror.storedProperties(of: PositionPolicy(), parts: [])
        #expect(Set(found.keys) == Set(reasons.keys), "say why a restart may forget these")
    }
}
