internal import Glibc
internal import TrackEngine

/// Writes bytes to a file descriptor in large pieces.
///
/// Call ``ignoreBrokenPipes()`` first: a reader that goes away (`| head`) is then an error that can be caught,
/// ``WriteError/isBrokenPipe``, and not the end of the process. Writing blocks: use it only on a thread that may block.
package struct CommandOutput: ~Copyable {
    /// The reason why bytes could not be written.
    package struct WriteError: Error, Sendable, Hashable, CustomStringConvertible {
        /// The C library's error number.
        package let code: Int32

        /// Whether the pipe has no reader any more.
        package var isBrokenPipe: Bool { code == EPIPE }

        package var description: String { "cannot write: \(SystemError.reason(code))" }
    }

    /// The bytes to write; append to them and call ``flushIfFull()``.
    package var bytes: [UInt8] = []

    private let descriptor: Int32
    private let capacity: Int

    /// An output to an open descriptor, which the caller continues to own.
    package init(to descriptor: Int32 = STDOUT_FILENO, capacity: Int = 65_536) {
        self.descriptor = descriptor
        self.capacity = capacity
        bytes.reserveCapacity(capacity + 4_096)
    }

    /// Makes writing to a pipe without a reader an error instead of a deadly signal, for the whole process.
    package static func ignoreBrokenPipes() {
        signal(SIGPIPE, SIG_IGN)
    }

    /// Writes the buffer out once it is full.
    package mutating func flushIfFull() throws(WriteError) {
        if bytes.count >= capacity { try flush() }
    }

    /// Writes the buffer out.
    package mutating func flush() throws(WriteError) {
        guard bytes.withUnsafeBytes({ Descriptor.write($0, to: descriptor) }) else { throw WriteError(code: errno) }
        bytes.removeAll(keepingCapacity: true)
    }
}
