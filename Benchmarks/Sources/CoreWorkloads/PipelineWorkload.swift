import Measure
import TrackEngine

/// Gates, motion states and rule over a track, as the engine runs them.
public final class PipelineWorkload {
    private let fixes: [Fix]
    private static let repetitions = 100

    /// Over so many fixes in memory.
    public init(count: Int) {
        fixes = SampleTrack.fixes(count)
    }

    /// How the pipeline is set up.
    public enum Setup {
        /// CalmGeo's defaults.
        case calmGeo
        /// Every gate and the activities switched on.
        case everything
        /// Another rule, with the settings that are usual for it.
        case rule(RecordingRule)

        var configuration: RecordingConfiguration {
            var configuration = RecordingConfiguration.calmGeo
            switch self {
            case .calmGeo: break
            case .everything:
                configuration.minimumAccuracy = 50
                configuration.maximumSpeed = 100
                configuration.fetchActivity = true
            case .rule(let rule):
                configuration.record = rule
                configuration.interval = rule == .all ? .seconds(10) : .seconds(300)
                configuration.angle = rule == .any ? 30 : nil
            }
            return configuration
        }
    }

    /// Each fix once, timers included, as a replay does it.
    public func run(_ setup: Setup) -> Contender {
        Contender(units: fixes.count * Self.repetitions) { [self] in
            for _ in 0..<Self.repetitions {
                var pipeline = TrackPipeline(setup.configuration, timeBase: .fixTime)
                fixes.withUnsafeBufferPointer { Self.feed($0, to: &pipeline) }
            }
        }
    }

    /// As ``run(_:)``, through the calls that also take rules that decide late; one pipeline for all rounds, as a tracker
    /// has.
    public func runDecidingLate(_ setup: Setup) -> Contender {
        var track = LateTrack(fixes, setup.configuration)
        return Contender(units: fixes.count * Self.repetitions) { for _ in 0..<Self.repetitions { track.go() } }
    }

    private static func feed(_ fixes: UnsafeBufferPointer<Fix>, to pipeline: inout TrackPipeline) {
        let wallClock = Timestamp(secondsSince1970: 1_900_000_000)
        var records = 0
        for fix in fixes {
            pipeline.replay(fix, wallClock: wallClock) { if case .record = $1 { records += 1 } }
        }
        keep(records)
    }

    /// The track again and again with times that go on, through one pipeline that has had so many fixes already.
    ///
    /// Each run of the contender goes on where the last one ended.
    public func going(after count: Int) -> Contender {
        var track = EndlessTrack(fixes)
        track.go(on: count)
        return Contender(units: 10_000) { track.go(on: 10_000) }
    }

    /// The same through a fresh pipeline each time.
    public func beginning() -> Contender {
        Contender(units: 10_000) { [fixes] in
            var track = EndlessTrack(fixes)
            track.go(on: 10_000)
        }
    }
}

/// A pipeline and how far it has come.
private struct EndlessTrack {
    private let fixes: [Fix]
    private var pipeline = TrackPipeline(.calmGeo, timeBase: .fixTime)
    private var done = 0

    init(_ fixes: [Fix]) { self.fixes = fixes }

    mutating func go(on count: Int) {
        var records = 0
        let track = Int64(fixes.count) * 1_000_000_000
        for number in done..<done + count {
            let (round, index) = number.quotientAndRemainder(dividingBy: fixes.count)
            let fix = fixes[index]
            let time = Timestamp(nanosecondsSince1970: fix.time.nanosecondsSince1970 + Int64(round) * track)
            let moved = Fix(time: time, coordinate: fix.coordinate, speed: fix.speed)
            pipeline.replay(moved) { if case .record = $1 { records += 1 } }
        }
        done += count
        keep(records)
    }
}

/// A pipeline that may decide late, and the track over and over.
private struct LateTrack {
    private let fixes: [Fix]
    private var pipeline: TrackPipeline
    private var round: Int64 = 0

    init(_ fixes: [Fix], _ configuration: RecordingConfiguration) {
        self.fixes = fixes
        pipeline = TrackPipeline(configuration, timeBase: .fixTime)
    }

    mutating func go() {
        let shift = round * Int64(fixes.count) * 1_000_000_000
        var records = 0
        for fix in fixes {
            let time = Timestamp(nanosecondsSince1970: fix.time.nanosecondsSince1970 + shift)
            let moved = Fix(time: time, coordinate: fix.coordinate, speed: fix.speed, course: fix.course)
            pipeline.replay(moved) { if case .record = $1 { records += 1 } }
        }
        round += 1
        keep(records)
    }
}
