import TestSupport
import TrackEngine
import TrackEngineGPSD
import TrackEngineTestKit

/// Quick to try again, but patient: a busy machine keeps answers waiting. What tests impatience shortens it.
func quickConfiguration(port: UInt16) -> GPSDSource.Configuration {
    var configuration = GPSDSource.Configuration(host: "127.0.0.1", port: port)
    configuration.connectTimeout = .seconds(600)
    configuration.answerTimeout = .seconds(600)
    configuration.silenceTimeout = .seconds(600)
    configuration.reconnectFirst = .milliseconds(50)
    configuration.reconnectMost = .milliseconds(200)
    return configuration
}

/// Runs a source on a collection while `body` looks at it; cancels it afterwards and waits for its end.
func withRunning(
    _ configuration: GPSDSource.Configuration, collecting collected: CollectedFixes = CollectedFixes(),
    _ body: (CollectedFixes) async throws -> Void
) async throws {
    let source = try GPSDSource(configuration: configuration)
    try await withThrowingTaskGroup { group in
        group.addTask {
            do {
                try await source.run(collected.output)
            } catch is CancellationError {
                // how a run ends
            }
        }
        try await body(collected)
        group.cancelAll()
        try await group.waitForAll()
    }
}

extension CollectedFixes {
    /// The texts of all statuses in which the source could not deliver.
    var outages: [String] {
        statuses.compactMap { status in
            if case .unavailable(let reason) = status { reason } else { nil }
        }
    }

    func count(of kind: SourceProblem.Kind) -> Int { problems.count { $0.kind == kind } }
}
