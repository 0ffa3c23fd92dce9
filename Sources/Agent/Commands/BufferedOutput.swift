#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// Writes bytes to a file descriptor in large pieces.
///
/// Whoever makes one must also have ``ignoreBrokenPipes()`` called, so that a reader that goes away (`| head`) is an
/// error to be caught, ``WriteError/isBrokenPipe``, and not the end of the process. Writing blocks: call it from a
/// thread that may.
package struct BufferedOutput: ~Copyable {
    /// Why bytes could not be written.
    package struct WriteError: Error, Sendable, Hashable, CustomStringConvertible {
        /// The C library's error number.
        package let code: Int32

        /// Whether nobody reads any more.
        package var isBrokenPipe: Bool { code == EPIPE }

        package var description: String { "cannot write: \(String(cString: strerror(code)))" }
    }

    /// What is to be written; append to it and call ``flushIfFull()``.
    package var bytes: [UInt8] = []

    private let descriptor: Int32
    private let capacity: Int

    /// An output to an open descriptor, which stays the caller's.
    package init(to descriptor: Int32 = STDOUT_FILENO, capacity: Int = 65_536) {
        self.descriptor = descriptor
        self.capacity = capacity
        bytes.reserveCapacity(capacity + 4_096)
    }

    /// Makes writing to a pipe that nobody reads an error instead of a deadly signal, for the whole process.
    package static func ignoreBrokenPipes() {
        signal(SIGPIPE, SIG_IGN)
    }

    /// Writes the buffer out once it is full.
    package mutating func flushIfFull() throws(WriteError) {
        if bytes.count >= capacity { try flush() }
    }

    /// Writes the buffer out.
    package mutating func flush() throws(WriteError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                write(descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written)
            }
            if count >= 0 { written += count } else if errno != EINTR { throw WriteError(code: errno) }
        }
        bytes.removeAll(keepingCapacity: true)
    }
}
