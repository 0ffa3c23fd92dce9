import CoreWorkloads
import Foundation
import Logging
import Measure
import PlaceSuites
import WireSuites

/// Measures everything, or the suites that further arguments name (`Server`, or of it `Server.watching`), prints the table and
/// writes it to the file named by the first argument.
let suites: [(String, () async throws -> [Row])] = [
    ("Filter", { try await CoreSuites.filter(rounds: 25) }),
    ("Pipeline", { try await CoreSuites.pipeline(rounds: 15, long: 100_000_000) }),
    ("Tracker", { try await CoreSuites.tracker(rounds: 7) }),
    ("Places", GeofenceSuite.rows),
    ("Decode", DecodeSuite.rows),
    ("Encode", EncodeSuite.rows),
    ("StoreAppend", StoreSuite.rows),
    ("Encryption", EncryptionSuite.rows),
    ("Drain", DrainSuite.rows),
    ("Server.receiving", ServerSuite.receiving),
    ("Server.showing", ServerSuite.showing),
    ("Server.watching", ServerSuite.watching),
    ("Server.memory", ServerSuite.memory),
    ("Server.firstPaint", ServerSuite.firstPaint),
    ("Footprint", FootprintSuite.rows),
    ("Bindings", BindingsSuite.rows),
]
LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }  // one table, and no lines of trackers in between
if CommandLine.arguments.dropFirst().first == DrainProcess.command {
    try await DrainProcess.run(CommandLine.arguments.dropFirst(2).map { $0 })
    exit(0)
}
if CommandLine.arguments.dropFirst().first == Viewers.command {
    exit(Viewers.run(CommandLine.arguments.dropFirst(2).map { $0 }))
}
OpenFiles.raiseLimit()
let arguments = CommandLine.arguments.dropFirst()
let wanted = Set(arguments.dropFirst())
var table = ResultsTable(order: suites.map { $0.0 })
print(Row.tableHead)
for (name, rows) in suites where wanted.isEmpty || wanted.contains(where: { name == $0 || name.hasPrefix($0 + ".") }) {
    for row in try await rows() {
        table.add(row)
        print(row.tableLine)
    }
    fflush(nil)
}
// A part of a suite is for those who look at it: its other rows would be missing in the file.
if let path = arguments.first, !wanted.contains(where: { $0.contains(".") }) {
    try table.write(to: path, isWhole: wanted.isEmpty)
}
