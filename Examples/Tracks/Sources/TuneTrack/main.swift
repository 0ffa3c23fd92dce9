import Foundation
import TrackEngine
import TrackEngineFiles
import TrackEngineTune

let path = CommandLine.arguments[1]
var fixes: [Fix] = []
for try await chunk in ReplayReader(path: path) { fixes += chunk.fixes }

let tuning = try Tuning(of: fixes, wishes: [.error(10), .megabytesPerMonth(80)])
for outcome in tuning.outcomes {
    print(outcome.rule.label, "makes", outcome.records, "records, at most", outcome.error.largest, "m wrong")
}
print(tuning.summary)
let report = TuneReport(tuning, files: [path])
try Data(report.bytes).write(to: URL(fileURLWithPath: CommandLine.arguments[2]))
