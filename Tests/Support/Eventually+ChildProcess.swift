import Testing
import TrackEngineTestKit

/// Waits for what a program brings about, and stops when it has ended without doing so.
package func eventually(
    _ description: @autoclosure () -> String,
    from program: ChildProcess,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () async throws -> Bool
) async rethrows {
    try await eventually(
        description(), unless: { program.exitCode != nil }, sourceLocation: sourceLocation, condition)
}
