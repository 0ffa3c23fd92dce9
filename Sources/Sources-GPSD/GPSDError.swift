internal import Glibc
internal import TrackEngine

/// The machine refused something that the source cannot work without; gpsd's own troubles are statuses, not errors.
public struct GPSDError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was refused.
    public let description: String

    init(_ description: String) { self.description = description }

    init(_ error: SystemError) { self.init("\(error.message): \(Self.reason(error.code))") }

    /// Why a call failed, as a status shows it: what a refused or lost connection means in gpsd's case has a text of its
    /// own, all else is the system's.
    static func reason(_ code: Int32) -> String {
        switch code {
        case EPIPE: "connection closed"
        case ETIMEDOUT: "no answer in time"
        case EHOSTUNREACH: "no route to the host"
        default: SystemError.reason(code).lowercased()
        }
    }
}
