internal import Glibc
internal import Synchronization
internal import TrackEngine

/// A request to a blocked reader to give up; shared between the reading thread and the task that waits for it.
final class Interruption: Sendable {
    private let flag = Atomic(false)

    var isRequested: Bool { flag.load(ordering: .acquiring) }

    func request() {
        flag.store(true, ordering: .releasing)
    }
}

/// An open file, pipe or device, read in order.
///
/// Its calls block: a disk may be slow and a pipe silent for hours. They belong on a thread of their own.
struct FileInput: ~Copyable {
    /// The wait for a silent pipe between two checks for an interruption.
    private static let patienceInMilliseconds: Int32 = 200

    private let file: Descriptor
    private let path: String
    private let interruption: Interruption
    /// The size of a regular file; `nil` for other files.
    let size: Int64?

    init(path: String, interruption: Interruption) throws(ReplayError) {
        self.path = path
        self.interruption = interruption
        // Without O_NONBLOCK, opening a pipe without a writer would block beyond the reach of an interruption.
        guard let file = Descriptor.open(path, O_RDONLY | O_NONBLOCK), let status = file.status else {
            throw Self.error(path, errno)
        }
        self.file = file
        size = status.kind == .regular ? status.size : nil
    }

    /// Whether there is a file at a path that can be read twice; a missing one counts, for it may come.
    static func isRegular(_ path: String) -> Bool {
        FileStatus.following(path).map { $0.kind == .regular } ?? true
    }

    /// Reads the available bytes, at least one, into the buffer from `start` on; returns 0 at the end, or when
    /// interrupted.
    mutating func read(into buffer: inout [UInt8], at start: Int) throws(ReplayError) -> Int {
        while !interruption.isRequested {
            guard waitUntilReadable() else { continue }
            let count = buffer.withUnsafeMutableBytes { bytes in
                let free = UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
                return systemRead(file.raw, free.baseAddress, free.count)
            }
            if count >= 0 { return count }
            let code = errno
            guard code == EINTR || code == EAGAIN else { throw Self.error(path, code) }
        }
        return 0
    }

    private func waitUntilReadable() -> Bool {
        guard size == nil else { return true }
        var request = pollfd(fd: file.raw, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, Self.patienceInMilliseconds) > 0
    }

    private static func error(_ path: String, _ code: Int32) -> ReplayError {
        guard code != ENOENT else { return ReplayError(.missing, path: path, "no such file") }
        return ReplayError(.unreadable, path: path, SystemError.reason(code).lowercased())
    }
}

/// `read(2)`, which the method of the same name hides.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}
