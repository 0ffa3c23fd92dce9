import CTrackEngine
import TrackEngine
import TrackEngineFiles

// compare decisions LIBRARY FILE...: the decisions of the library equal those of the engine about each track.
// compare speed LIBRARY: the time of the filter, beside the engine's pipeline, in one run.

/// Settings that together use each rule, gate and state.
let settings = [
    "{}", #"{"record": "deviation"}"#, #"{"record": "deviation", "maximumDeviation": 3, "maximumInterval": 0}"#,
    #"{"record": "any", "interval": 20, "angle": 30}"#, #"{"record": "all", "interval": 10}"#,
    #"{"preset": "miataru-2"}"#, #"{"fetchActivity": true, "requiredMotionDuration": 30, "accuracyGain": 5}"#,
    #"{"minimumAccuracy": 20, "minimumSatellites": 5, "maximumSpeed": 60, "maximumJump": 500, "stillAfter": 20}"#,
    #"{"record": "deviation", "stillAfter": 10, "standbyAfter": 30, "standbyInterval": 5, "fetchActivity": true}"#,
]

func readFixes(_ path: String) async -> [Fix] {
    var fixes: [Fix] = []
    do {
        for try await chunk in ReplayReader(path: path) { fixes += chunk.fixes }
    } catch {}  // not every file is a track
    return fixes
}

func compareDecisions(_ library: Library, _ files: [String]) async throws {
    let wallClock = Timestamp(secondsSince1970: 1_790_000_000)
    var (tracks, compared, late) = (0, 0, 0)
    for file in files {
        let fixes = await readFixes(file)
        if fixes.isEmpty { continue }
        tracks += 1
        let inC = fixes.map { te_fix($0) }
        for setting in settings {
            for clock in [nil, wallClock] {
                let expected = try decisionsOfEngine(fixes, setting, wallClock: clock)
                for (batch, capacity) in [(256, 264), (1, 1), (fixes.count, 3)] {
                    let found = try decisionsOfLibrary(
                        inC, setting, wallClock: clock?.nanosecondsSince1970 ?? 0, batch: batch, capacity: capacity,
                        library)
                    try requireEqual(found, expected, "\(file) with \(setting) in batches of \(batch)")
                    compared += found.count
                }
                late += expected.count - fixes.count
            }
        }
    }
    guard tracks > 0, late > 0 else { throw Failure("expected tracks with decisions about earlier fixes") }
    print("\(compared) decisions about \(tracks) tracks are equal, \(late) of the engine's are about earlier fixes")
}

func requireEqual(_ found: [ComparedDecision], _ expected: [ComparedDecision], _ what: String) throws(Failure) {
    for (index, (found, expected)) in zip(found, expected).enumerated() where found != expected {
        throw Failure("\(what): decision \(index) is \(found), expected \(expected)")
    }
    guard found.count == expected.count else {
        throw Failure("\(what): \(found.count) decisions, expected \(expected.count)")
    }
}

do {
    let arguments = CommandLine.arguments
    guard arguments.count >= 3 else { throw Failure("expected: compare decisions|speed LIBRARY [FILE...]") }
    let library = try Library(path: arguments[2])
    switch arguments[1] {
    case "decisions": try await compareDecisions(library, Array(arguments[3...]))
    case "speed": try compareSpeed(library)
    default: throw Failure("expected decisions or speed")
    }
} catch {
    print("compare: \(error)")
    exitWithFailure()
}
