import CSQLite
import Foundation
import Synchronization

/// Lets some of SQLite's reads fail with EIO, through its own interface for tests (`xSetSystemCall` of its VFS).
enum ReadFaults {
    private struct State {
        var calls = 0
        var failures = 0
        var each = 1
        var count = 0
    }

    private static let state = Mutex(State())

    /// How many reads have failed.
    static var count: Int { state.withLock { $0.count } }

    /// Lets every so-manieth read fail, so many times.
    static func install(failures: Int, each: Int) {
        state.withLock { state in
            state.failures = failures
            state.each = each
        }
        guard let vfs = sqlite3_vfs_find(nil), let set = vfs.pointee.xSetSystemCall else {
            say("no system calls can be set")
            exit(70)
        }
        let read: @convention(c) (Int32, UnsafeMutableRawPointer?, Int, off_t) -> Int = { file, buffer, count, offset in
            guard !ReadFaults.fails() else {
                errno = EIO
                return -1
            }
            return pread(file, buffer, count, offset)
        }
        // SQLite keeps the calls as functions without parameters and calls them with those of pread(2).
        let call = unsafeBitCast(read, to: sqlite3_syscall_ptr.self)
        for name in ["pread", "pread64"] { _ = set(vfs, name, call) }
    }

    private static func fails() -> Bool {
        state.withLock { state in
            state.calls += 1
            guard state.failures > 0, state.calls % state.each == 0 else { return false }
            state.failures -= 1
            state.count += 1
            return true
        }
    }
}
