import Foundation
import TrackEngine
import TrackEngineFiles

let document = Array(try Data(contentsOf: URL(fileURLWithPath: CommandLine.arguments[1])))
let track = TrackFormat.csv.read(document)
for problem in track.problems { print("passed over:", problem) }

var writer = TrackFormat.gpx.makeWriter()
var gpx: [UInt8] = []
writer.begin(&gpx)
for record in track.fixes.track(.calmGeo) { writer.append(record, to: &gpx) }
writer.end(&gpx)
try Data(gpx).write(to: URL(fileURLWithPath: CommandLine.arguments[2]))
