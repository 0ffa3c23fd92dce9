/// Why a request to the agent came to nothing.
package struct ControlError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of failure it is, with its word on the wire.
    package enum Code: String, Sendable, Hashable, CaseIterable {
        /// No agent answers.
        case unavailable
        /// Another agent has the socket.
        case busy
        /// The request or the answer is not in the expected form, or of another version.
        case malformed
        /// The caller is neither the agent's user nor root.
        case forbidden
        /// The request names something that the agent does not have.
        case unknown
        /// The agent could not do it.
        case failed
    }

    /// What kind of failure it is.
    package let code: Code
    /// What happened, for people.
    package let message: String

    /// Makes an error.
    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    package var description: String { message }
}
