internal import Glibc
internal import TrackEngine

/// The machine refused something that the source cannot work without; gpsd's own troubles are statuses, not errors.
public struct GPSDError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was refused.
    public let description: String

    init(_ description: String) { self.description = description }

    init(_ error: OSThread.StartError) { self.init("cannot start a thread: \(SystemError(error.code))") }
}

/// An `errno` in words; `strerror` is not safe to call from several threads.
struct SystemError: Sendable, CustomStringConvertible {
    let code: Int32

    init(_ code: Int32) { self.code = code }

    var description: String {
        switch code {
        case ECONNREFUSED: "connection refused"
        case ECONNRESET: "connection reset"
        case EPIPE: "connection closed"
        case ETIMEDOUT: "no answer in time"
        case EHOSTUNREACH: "no route to the host"
        case ENETUNREACH: "network unreachable"
        case EACCES, EPERM: "not permitted"
        case EMFILE, ENFILE: "too many open files"
        case EADDRNOTAVAIL: "address not available"
        case EAGAIN: "out of resources"
        default: "system error \(code)"
        }
    }
}
