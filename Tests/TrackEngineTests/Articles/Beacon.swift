import TrackEngine

struct Beacon: FixSource {
    let id: SourceID = "beacon"
    let connect: @Sendable () async throws -> BeaconConnection

    func run(_ output: FixOutput) async throws {
        let connection = try await connect()
        var hasFix = false
        output.status(.waiting(reason: "no position yet"))
        for try await line in connection.lines {
            guard let fix = BeaconDecoder.fix(from: line) else {
                output.report(SourceProblem(.malformed, "expected a time, a latitude and a longitude"))
                continue
            }
            if !hasFix { output.status(.receiving) }
            hasFix = true
            try await output.emit(fix)
        }
    }
}
