import CServer

/// How the C library keeps memory that was freed.
package enum MemoryOptions {
    /// The bytes from which on memory goes back to the system when it is freed.
    private static let threshold: Int32 = 256 << 10

    /// Has the memory of long bodies, and of all else in the process, go back to the system as soon as it is freed.
    ///
    /// By itself glibc raises its threshold to what was freed, up to 32 MiB, and keeps such pieces in a heap for each thread:
    /// bodies of 72 MiB together took 240 MiB (mallopt(3), M_MMAP_THRESHOLD).
    package static func giveBack() {
        mallopt(M_MMAP_THRESHOLD, threshold)
    }
}
