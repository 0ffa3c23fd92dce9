// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The functions have their names in C.

import CMessage
import CTrackEngine
import TrackEngine

/// A reason why a call fails: its status for the caller, and its words for ``te_last_error()``.
package struct CallError: Error {
    let status: te_status
    let message: String

    static func argument(_ message: String) -> CallError { CallError(status: TE_ERROR_ARGUMENT, message: message) }

    static func settings(_ error: ConfigurationError, of part: String) -> CallError {
        CallError(
            status: TE_ERROR_SETTINGS,
            message: error.problems.map { "\(part).\($0.description)" }.joined(separator: "\n"))
    }

    static func store(_ error: any Error) -> CallError { CallError(status: TE_ERROR_STORE, message: "\(error)") }

    static let stopped = CallError(status: TE_ERROR_STOPPED, message: "the tracker has been stopped")

    static let forked = CallError(
        status: TE_ERROR_STOPPED,
        message: "expected the process in which the first tracker was made, or a new program: this is a fork of it")

    /// Keeps the words for the calling thread, and returns the status.
    func noted() -> te_status {
        let size = thread_message_size()
        guard size > 0, let memory = thread_message() else { return status }
        var text = message
        text.withUTF8 { bytes in
            let length = bytes.wholeCharacters(within: size - 1)
            for index in 0..<length { memory[index] = CChar(bitPattern: bytes[index]) }
            memory[length] = 0
        }
        return status
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns the length of the longest prefix within a limit that does not cut a character's bytes.
    fileprivate func wholeCharacters(within limit: Int) -> Int {
        guard count > limit else { return count }
        var length = limit
        while length > 0, self[length] & 0xC0 == 0x80 { length -= 1 }
        return length
    }
}

/// Runs the body of a function that returns a status.
func status(_ body: () throws(CallError) -> Void) -> te_status {
    do throws(CallError) { try body() } catch { return error.noted() }
    return TE_OK
}

/// Runs the body of a function that returns a result, and writes the status.
func result<Result>(
    _ error: UnsafeMutablePointer<te_status>?, _ body: () throws(CallError) -> Result
) -> Result? {
    do throws(CallError) {
        let result = try body()
        error?.pointee = TE_OK
        return result
    } catch let failure {
        let status = failure.noted()
        error?.pointee = status
        return nil
    }
}

@c @implementation
public func te_last_error() -> UnsafePointer<CChar>? { UnsafePointer(thread_message()) }
