import Glibc

/// A call to the operating system that failed, in words for people.
package struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What could not be done.
    package let message: String
    /// The system's error number.
    package let code: Int32

    /// An error with the number of the call that has just failed.
    package init(_ message: String, code: Int32 = errno) {
        self.message = message
        self.code = code
    }

    /// What could not be done, and the system's reason.
    package var description: String { "\(message): \(String(cString: strerror(code)))" }
}
