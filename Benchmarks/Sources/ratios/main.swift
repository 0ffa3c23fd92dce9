import CoreWorkloads
import Glibc
import Logging
import Measure
import WireSuites

/// The short form for CI: fails when the hot path has become slower beside its yardsticks, or allocates. Times alone never
/// fail.
///
/// A bound is about one and a half times what was measured when it was written, because other programs and other
/// processors shift the ratios; a change that costs half as much again is caught. Three attempts, because a busy machine
/// can spoil one.
let bounds: [(suite: String, subject: String, leastSpeed: Double)] = [
    ("Filter", "batches of 100", 0.60),  // of C with the same arithmetic; measured 0.86 to 0.92
    ("Filter", "fix by fix", 0.60),  // measured 0.90 to 0.95
    ("Pipeline", "gates, motion, rule", 0.60),  // of the haversine in C; measured 0.95 to 1.13
    ("Pipeline", "after 1 M fixes", 0.70),  // of the first 10 000; measured 1
    ("Tracker", "in memory, 256 at a time", 0.20),  // of the haversine in C; measured 0.32 to 0.46
    ("Decode", "gpsd TPV, a line", 3.6),  // of libgps; measured 5.2 to 5.5
    ("Encode", "Overland, a record", 15),  // of Foundation; measured 20.2 to 21.2
]

func problems() async throws -> [String] {
    var rows = try await CoreSuites.filter(rounds: 7)
    rows += try await CoreSuites.pipeline(rounds: 7, long: 1_000_000)
    rows += try await CoreSuites.tracker(rounds: 3)
    rows += try await DecodeSuite.rows() + EncodeSuite.rows()
    print(Row.tableHead)
    for row in rows { print(row.tableLine) }
    var problems: [String] = []
    for bound in bounds {
        let row = rows.first { $0.suite == bound.suite && $0.subject == bound.subject }
        guard let row, let yardstick = row.yardstick else {
            problems.append("\(bound.suite), \(bound.subject): expected to be measured")
            continue
        }
        let speed = yardstick.nanoseconds / row.ours
        guard speed < bound.leastSpeed else { continue }
        problems.append(
            "\(bound.suite), \(bound.subject): \(speed.short) of the speed of \(yardstick.name), expected at least "
                + bound.leastSpeed.short)
    }
    for row in rows where (row.allocations ?? 0) > 0 && row.suite != "Tracker" {
        problems.append("\(row.suite), \(row.subject): allocates, expected nothing")
    }
    return problems
}

LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }  // one table, and no lines of trackers in between
var found: [String] = []
for _ in 0..<3 {
    found = try await problems()
    if found.isEmpty { break }
    print(found.joined(separator: "\n"))
}
if !found.isEmpty { exit(1) }
