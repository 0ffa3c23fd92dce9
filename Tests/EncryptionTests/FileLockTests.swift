import Foundation
import Synchronization
import TestSupport
import Testing
import TrackEngine
import TrackEngineSettings

/// The lock beside a file.
@Suite(.timeLimit(.minutes(30))) struct FileLockTests {
    @Test func `a lock that somebody holds is not had, and one that a starting program has for a moment is`()
        async throws
    {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let path = folder + "/file"
            let held = Mutex(Optional(try PrivateFile.lock(path)))
            #expect(try PrivateFile.lockUnlessTaken(path) == nil)
            // As a child has it before its own program begins: the same open file, under another number.
            let number = held.withLock { $0.map { dup($0.file.raw) } } ?? -1
            try #require(number >= 0)
            held.withLock { $0 = nil }
            let thread = Thread {
                _ = poll(nil, 0, 100)
                close(number)
            }
            thread.start()
            #expect(try PrivateFile.lockUnlessTaken(path) != nil)
        }
    }
}
