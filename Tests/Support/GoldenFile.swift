import Foundation
import Testing

/// Compares a text with the file in which it was recorded.
///
/// With `TRACK_ENGINE_RECORD=1` in the environment the file is rewritten, and the test fails, so that no green run can have
/// recorded: look at `git diff`, then run again without.
package func expectRecorded(_ text: String, in path: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    if ProcessInfo.processInfo.environment["TRACK_ENGINE_RECORD"] == "1" {
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        Issue.record("recorded \(path); run again without TRACK_ENGINE_RECORD", sourceLocation: sourceLocation)
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == text, sourceLocation: sourceLocation)
}
