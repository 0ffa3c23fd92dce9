import CTrackEngine
import Glibc
import TrackEngine

func exitWithFailure() -> Never { exit(1) }

/// Times the filter through C beside the engine's pipeline: in turns, the best of each.
func compareSpeed(_ library: Library) throws {
    let fixes = drive(100_000)
    let inC = fixes.map { te_fix($0) }
    for tracking in ["{}", #"{"record": "any", "interval": 300, "angle": 30}"#, #"{"record": "deviation"}"#] {
        let configuration = try RecordingConfiguration(json: tracking.utf8)
        var (swift, c) = (Double.infinity, Double.infinity)
        for _ in 0..<30 {
            swift = min(swift, timeOfEngine(fixes, configuration))
            c = min(c, try timeOfLibrary(inC, tracking, library))
        }
        let ratio = (c / swift * 100).rounded() / 100
        print("\(tracking): pipeline \(perFix(swift)) ns, through C \(perFix(c)) ns a fix, ratio \(ratio)")
    }

    func perFix(_ seconds: Double) -> Double { (seconds / Double(fixes.count) * 1e10).rounded() / 10 }
}

private func timeOfEngine(_ fixes: [Fix], _ configuration: RecordingConfiguration) -> Double {
    let begin = now()
    var pipeline = TrackPipeline(configuration, timeBase: .fixTime)
    var records = 0
    for fix in fixes { pipeline.replay(fix) { if case .record = $1 { records += 1 } } }
    let seconds = now() - begin
    precondition(records > 0)
    return seconds
}

private func timeOfLibrary(_ fixes: [te_fix], _ tracking: String, _ library: Library) throws -> Double {
    let filter = try library.filter(tracking)
    defer { library.free(filter) }
    return try withUnsafeTemporaryAllocation(of: te_decision.self, capacity: 300) { memory in
        var output = te_decisions(
            size: UInt32(MemoryLayout<te_decisions>.size), item_size: UInt32(MemoryLayout<te_decision>.size),
            items: memory.baseAddress, capacity: memory.count, count: 0, taken: 0)
        return try fixes.withUnsafeBufferPointer { fixes in
            let begin = now()
            var (start, records) = (0, 0)
            while start < fixes.count {
                let length = min(256, fixes.count - start)
                guard library.push(filter, fixes.baseAddress! + start, length, &output) == TE_OK else {
                    throw Failure("te_filter_push failed")
                }
                for index in 0..<output.count where UInt32(memory[index].kind) == TE_RECORD { records += 1 }
                start += output.taken
            }
            let seconds = now() - begin
            precondition(records > 0)
            return seconds
        }
    }
}

private func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

/// A drive of so many seconds with turns, stops and noise; the same on every machine.
private func drive(_ count: Int) -> [Fix] {
    var (latitude, longitude, course) = (52.5, 13.4, 40.0)
    var random: UInt64 = 42
    func noise() -> Double {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Double(random >> 33) / Double(1 << 31) - 0.5
    }
    return (0..<count).map { second in
        let speed = second % 600 < 90 ? 0 : 14 + 6 * noise()
        if second % 37 == 0 { course += 60 * noise() }
        latitude += speed * cos(course * .pi / 180) / 111_000
        longitude += speed * sin(course * .pi / 180) / 67_000
        return Fix(
            time: Timestamp(secondsSince1970: 1_772_359_200 + Int64(second)),
            coordinate: Coordinate(latitude: latitude + noise() * 2e-5, longitude: longitude + noise() * 2e-5),
            altitude: 40 + noise(), horizontalAccuracy: 4 + noise(), speed: speed, course: course,
            mode: .threeDimensional)
    }
}
