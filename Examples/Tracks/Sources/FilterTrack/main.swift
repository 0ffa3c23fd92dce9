import TrackEngine
import TrackEngineFiles

var fixes: [Fix] = []
for path in CommandLine.arguments.dropFirst() {
    for try await chunk in ReplayReader(path: path) {
        for problem in chunk.problems { print("\(path):", problem) }
        fixes += chunk.fixes
    }
}
var kept = 0
for record in fixes.track(.calmGeo) {
    print(record.fix.time, record.fix.coordinate.latitude, record.fix.coordinate.longitude, record.cause.name)
    kept += 1
}
print("\(kept) records of \(fixes.count) fixes")
