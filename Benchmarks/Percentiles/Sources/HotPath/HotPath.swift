import Benchmark
import CoreWorkloads
import Measure

let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(metrics: [.wallClock, .throughput, .instructions], maxDuration: .seconds(3))
    measure("Filter, batches of 100") { FilterWorkload(count: 1000).batches(of: 100) }
    measure("Filter, fix by fix") { FilterWorkload(count: 1000).eachFix() }
    measure("Pipeline") { PipelineWorkload(count: 1000).run(.calmGeo) }
    measure("Tracker, in memory") { TrackerWorkload(count: 100_000, batchLength: 256).run() }
}

/// One sample is one run of the contender; its figures are for all the fixes of a run.
private func measure(_ name: String, _ contender: @escaping @Sendable () -> Contender) {
    Benchmark(name) { benchmark in
        let contender = contender()
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations { try await contender.run() }
        benchmark.stopMeasurement()
    }
}
