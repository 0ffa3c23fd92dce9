import Glibc

/// An error of a call to the operating system, described for people.
package struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The failed operation.
    package let message: String
    /// The system's error number (errno(3)).
    package let code: Int32

    /// Creates an error with the number of the call that has just failed.
    package init(_ message: String, code: Int32 = errno) {
        self.message = message
        self.code = code
    }

    /// The failed operation, and the system's reason.
    package var description: String { "\(message): \(Self.reason(code))" }

    /// Returns the system's text for an error number: `Connection refused`.
    ///
    /// strerror(3) is safe to call from several threads: glibc keeps its buffer in each thread since 2.32.
    package static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
