import Measure

/// The suites of the hot path, with nothing but the core and C.
public enum CoreSuites {
    /// Every rule.
    public static func filter(rounds: Int) async throws -> [Row] {
        try await distance(rounds: rounds) + deviation(rounds: rounds)
    }

    private static func distance(rounds: Int) async throws -> [Row] {
        let filter = FilterWorkload(count: 1000)
        let timings = try await race(
            rounds: rounds,
            [
                filter.batches(of: 1000), filter.batches(of: 100), filter.batches(of: 10), filter.eachFix(),
                filter.measuringEach(), filter.planeInC(batches: 1000), filter.planeInC(batches: 100),
                filter.haversineInC(batches: 1000),
            ])
        let haversine = ("C -O3, haversine", timings[7].best)
        let plane = ("C -O3, same arithmetic", timings[6].best)
        return [
            row(
                "batches of 1000", timings[0], beside: ("C -O3, same arithmetic", timings[5].best), .timesYardstick(1.1)
            ),
            row("batches of 100", timings[1], beside: plane, .timesYardstick(1.1)),
            row("batches of 100", timings[1], beside: haversine, .faster(4)),
            row("batches of 10", timings[2], beside: plane, .none),
            row("fix by fix", timings[3], beside: plane, .none),
            row("fix by fix, every distance measured", timings[4], beside: haversine, .none),
        ]
    }

    private static func deviation(rounds: Int) async throws -> [Row] {
        let (drive, zigzag) = (DeviationWorkload.drive(10_000), DeviationWorkload.zigzag(10_000))
        let timings = try await race(
            rounds: rounds,
            [drive.eachFix(), zigzag.eachFix(), FilterWorkload(count: 1000).planeInC(batches: 100)])
        return [
            // 22.4 times is 100 ns on the machine for which the bound was written.
            row(
                "`deviation`, 10 m", timings[0], beside: ("C -O3, a distance in the plane", timings[2].best),
                .timesYardstick(22.4)),
            Row(
                "Filter", "`deviation`, the worst track for it", timings[1].best,
                allocations: timings[1].allocations),
            Row("Filter", "`deviation`, worst single call on a drive", drive.worstCall(repetitions: 20)),
            Row("Filter", "`deviation`, worst single call there is", zigzag.worstCall(repetitions: 20)),
        ]
    }

    private static func row(
        _ subject: String, _ timing: Timing, beside yardstick: (String, Double), _ target: Row.Target
    ) -> Row {
        Row(
            "Filter", subject, timing.best, beside: (name: yardstick.0, nanoseconds: yardstick.1), target: target,
            allocations: timing.allocations)
    }

    /// Gates, motion and rule; `long` is how many fixes stand for a long track.
    public static func pipeline(rounds: Int, long: Int) async throws -> [Row] {
        let pipeline = PipelineWorkload(count: 1000)
        let filter = FilterWorkload(count: 1000)
        let timings = try await race(
            rounds: rounds,
            [
                filter.haversineInC(batches: 1000), pipeline.run(.calmGeo), pipeline.run(.everything),
                pipeline.runDecidingLate(.rule(.any)), pipeline.runDecidingLate(.rule(.all)),
                pipeline.runDecidingLate(.rule(.deviation)),
            ])
        // Short runs in turns, so that both are hit by as much of what else happens.
        let tracks = try await race(rounds: 50 * rounds, [pipeline.going(after: long), pipeline.beginning()])
        let haversine = (name: "C -O3, haversine alone", nanoseconds: timings[0].best)
        func row(_ subject: String, _ timing: Timing, _ target: Row.Target = .none) -> Row {
            Row("Pipeline", subject, timing.best, beside: haversine, target: target, allocations: timing.allocations)
        }
        return [
            row("gates, motion, rule", timings[1], .nanoseconds(40)), row("every gate, activities", timings[2]),
            row("rule `any`", timings[3]), row("rule `all`", timings[4]), row("rule `deviation`", timings[5]),
            Row(
                "Pipeline", "after \(Double(long).short) fixes", tracks[0].best,
                beside: (name: "the same, first 10 k fixes", nanoseconds: tracks[1].best), target: .timesYardstick(1.1)
            ),
        ]
    }

    /// The whole engine into a store in memory.
    public static func tracker(rounds: Int) async throws -> [Row] {
        let filter = FilterWorkload(count: 1000)
        let timings = try await race(
            rounds: rounds,
            [
                TrackerWorkload(count: 500_000, batchLength: 256).run(),
                TrackerWorkload(count: 50_000, batchLength: 1).run(), filter.haversineInC(batches: 1000),
            ])
        let haversine = (name: "C -O3, haversine alone", nanoseconds: timings[2].best)
        return [
            Row("Tracker", "in memory, 256 at a time", timings[0].best, beside: haversine, target: .perSecond(2e6)),
            Row(
                "Tracker", "in memory, one at a time", timings[1].best, beside: haversine, target: .nanoseconds(800)),
        ]
    }
}
