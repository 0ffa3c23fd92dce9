#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A call to the operating system that failed, described for people.
package struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What could not be done.
    package let message: String
    /// The system's error number (errno(3)).
    package let code: Int32

    /// An error with the number of the call that has just failed.
    package init(_ message: String, code: Int32 = errno) {
        self.message = message
        self.code = code
    }

    /// What could not be done, and the system's reason.
    package var description: String { "\(message): \(Self.reason(code))" }

    /// The system's text for an error number: `Connection refused`.
    ///
    /// strerror(3) is safe to call from several threads in the C libraries that the project supports: glibc since 2.32
    /// keeps its buffer in each thread, and the texts of musl are constants.
    package static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
