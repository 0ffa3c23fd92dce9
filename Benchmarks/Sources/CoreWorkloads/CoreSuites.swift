import Measure

/// The suites of the hot path, with nothing but the core and C.
public enum CoreSuites {
    /// CalmGeo's rule.
    public static func filter(rounds: Int) async throws -> [Row] {
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
            [pipeline.run(.calmGeo), pipeline.run(.everything), filter.haversineInC(batches: 1000)])
        // As many fixes in all on both sides, so that both are hit by as much of what else happens.
        let tracks = try await race(
            rounds: 3, [pipeline.endless(long), pipeline.endless(10_000, pipelines: long / 10_000)])
        let haversine = (name: "C -O3, haversine alone", nanoseconds: timings[2].best)
        return [
            Row(
                "Pipeline", "gates, motion, rule", timings[0].best, beside: haversine, target: .nanoseconds(40),
                allocations: timings[0].allocations),
            Row(
                "Pipeline", "every gate, activities", timings[1].best, beside: haversine,
                allocations: timings[1].allocations),
            Row(
                "Pipeline", "a track of \(Double(long).short) fixes", tracks[0].best,
                beside: (name: "the same, 10 k fixes", nanoseconds: tracks[1].best), target: .timesYardstick(1.1)),
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
            Row("Tracker", "in memory, one at a time", timings[1].best, beside: haversine),
        ]
    }
}
