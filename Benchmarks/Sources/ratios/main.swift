import CoreWorkloads
import Measure

let filter = FilterWorkload(count: 1000)
let pipeline = PipelineWorkload(count: 1000)
let tracker = TrackerWorkload(count: 200_000, batchLength: 256)
let names = ["batch 1000", "batch 100", "C plane 1000", "C plane 100", "C hav 1000", "pipeline", "pipeline all", "endless 10k", "endless 1M", "tracker"]
let t = try await race(rounds: 5, [filter.batches(of: 1000), filter.batches(of: 100), filter.planeInC(batches: 1000), filter.planeInC(batches: 100), filter.haversineInC(batches: 1000), pipeline.run(.calmGeo), pipeline.run(.everything), pipeline.endless(10000), pipeline.endless(1_000_000), tracker.run()])
for (n, t) in zip(names, t) { print(n, t.best, t.median, t.allocations as Any) }
