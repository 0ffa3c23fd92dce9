import TrackEngine
import TrackEngineSimulated

let configuration = SimulatedSource.Configuration(seed: 1, duration: .seconds(10))
let fixes = try SimulatedDrive(configuration).compactMap(\.fix)
precondition(!fixes.isEmpty, "ten seconds of a drive have a fix")
