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

        var configuration: TrackerConfiguration {
            var configuration = TrackerConfiguration.calmGeo
            guard self == .everything else { return configuration }
            configuration.minimumAccuracy = 50
            configuration.maximumSpeed = 100
            configuration.fetchActivity = true
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

    private static func feed(_ fixes: UnsafeBufferPointer<Fix>, to pipeline: inout TrackPipeline) {
        let wallClock = Timestamp(secondsSince1970: 1_900_000_000)
        var records = 0
        for fix in fixes {
            let moment = TrackInstant(fix.time)
            while let due = pipeline.nextTimeout(before: moment) {
                if case .record? = pipeline.timeout(at: due) { records += 1 }
            }
            if case .record = pipeline.process(fix, at: moment, wallClock: wallClock) { records += 1 }
        }
        keep(records)
    }

    /// So many fixes in a row through one pipeline, the track again and again with times that go on; then the next
    /// pipeline begins afresh.
    public func endless(_ count: Int, pipelines: Int = 1) -> Contender {
        Contender(units: count * pipelines) { [self] in
            for _ in 0..<pipelines { runOn(count) }
        }
    }

    private func runOn(_ count: Int) {
        var pipeline = TrackPipeline(.calmGeo, timeBase: .fixTime)
        var records = 0
        let track = Int64(fixes.count) * 1_000_000_000
        for number in 0..<count {
            let (round, index) = number.quotientAndRemainder(dividingBy: fixes.count)
            let fix = fixes[index]
            let time = Timestamp(nanosecondsSince1970: fix.time.nanosecondsSince1970 + Int64(round) * track)
            let moment = TrackInstant(time)
            while let due = pipeline.nextTimeout(before: moment) {
                if case .record? = pipeline.timeout(at: due) { records += 1 }
            }
            let moved = Fix(time: time, coordinate: fix.coordinate, speed: fix.speed)
            if case .record = pipeline.process(moved, at: moment) { records += 1 }
        }
        keep(records)
    }
}
