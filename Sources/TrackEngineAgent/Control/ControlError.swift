/// The reason why a request to the agent failed.
package struct ControlError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of failure, with their names in the protocol.
    package enum Code: String, Sendable, Hashable, CaseIterable {
        /// No agent responds.
        case unavailable
        /// Another agent has the socket.
        case busy
        /// The request or the response is not in the expected form, or has another version.
        case malformed
        /// The caller is neither the agent's user nor root.
        case forbidden
        /// The request names an item that the agent does not have.
        case unknown
        /// The agent could not carry out the request.
        case failed
    }

    /// The kind of failure.
    package let code: Code
    /// The message for users.
    package let message: String

    /// Makes an error.
    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }
}
