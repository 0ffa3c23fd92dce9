import Glibc
package import NIOCore
package import TrackEngine

/// Sends requests to a running agent.
package struct ControlClient: Sendable {
    /// The path of the agent's socket.
    package let path: String
    private let group: any EventLoopGroup

    /// A client of the agent at a path. It connects for each request.
    package init(path: String, on group: any EventLoopGroup) {
        self.path = path
        self.group = group
    }

    /// Sends a request and waits for the end of the response.
    ///
    /// - Parameters:
    ///   - limit: the longest silence of the agent.
    ///   - part: receives the pieces of a long response, in order.
    /// - Throws: ``ControlError``: with ``ControlError/Code/unavailable`` if no agent runs, otherwise the agent's
    ///   error. Also the errors of `part`.
    package func send(
        _ request: ControlRequest, within limit: Duration = .seconds(10),
        part: (JSONValue) async throws -> Void = { _ in }
    ) async throws -> JSONValue {
        let connection = try await connect()
        defer { connection.close() }
        do {
            try await connection.write(request.line, within: limit)
            while let line = try await connection.readLine(within: limit) {
                switch try ControlReplyLine(line: line) {
                case .part(let value): try await part(value)
                case .result(let value): return value
                case .error(let error): throw error
                }
            }
        } catch let failure as LineConnection.Failure {
            throw ControlError(failure, limit: limit)
        }
        throw ControlError(.failed, "the agent ended the connection before its answer was complete")
    }

    private func connect() async throws(ControlError) -> LineConnection {
        do throws(SystemError) {
            return try await UnixSocket.connect(to: path, on: group, longestLine: ControlReplyLine.longestLine)
        } catch {
            switch error.code {
            case ENOENT, ECONNREFUSED: throw ControlError(.unavailable, "no agent runs here: no answer at \(path)")
            case EACCES, EPERM: throw ControlError(.forbidden, "only the agent's user and root may use \(path)")
            case EAGAIN: throw ControlError(.failed, "the agent at \(path) has too much to do")
            default: throw ControlError(.unavailable, error.description)
            }
        }
    }
}

extension ControlError {
    fileprivate init(_ failure: LineConnection.Failure, limit: Duration) {
        switch failure {
        case .tooLong: self.init(.malformed, "the agent's answer has a line that is too long")
        case .timedOut: self.init(.failed, "the agent has not answered within \(limit.inWords)")
        case .disconnected: self.init(.failed, "the agent ended the connection")
        case .cancelled: self.init(.failed, "given up")
        }
    }
}
