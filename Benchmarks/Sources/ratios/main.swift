import CoreWorkloads
import Measure

let filter = FilterWorkload(count: 1000)
let names = ["batch 1000", "batch 100", "batch 10", "batch 1", "each", "measuring", "C plane 1000", "C plane 100", "C hav 1000"]
let t = try await race(rounds: 15, [filter.batches(of: 1000), filter.batches(of: 100), filter.batches(of: 10), filter.batches(of: 1), filter.eachFix(), filter.measuringEach(), filter.planeInC(batches: 1000), filter.planeInC(batches: 100), filter.haversineInC(batches: 1000)])
for (n, t) in zip(names, t) { print(n, t.best, t.median, t.allocations as Any) }
