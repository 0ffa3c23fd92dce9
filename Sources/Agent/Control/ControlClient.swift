import Glibc
package import TrackEngine

/// Asks a running agent.
package struct ControlClient: Sendable {
    /// Where the agent listens.
    package let path: String
    private let poller: DescriptorPoller

    /// A client of the agent at a path; nothing is connected yet.
    package init(path: String, poller: DescriptorPoller) {
        self.path = path
        self.poller = poller
    }

    /// Sends a request and waits for the answer's end.
    ///
    /// - Parameters:
    ///   - limit: how long the agent may be silent.
    ///   - part: takes the pieces of a long answer, in order.
    /// - Throws: ``ControlError``: with ``ControlError/Code/unavailable`` when no agent runs; what the agent answered
    ///   else. What `part` throws.
    package func send(
        _ request: ControlRequest, within limit: Duration = .seconds(10),
        part: (JSONValue) async throws -> Void = { _ in }
    ) async throws -> JSONValue {
        var stream = LineStream(try connect(), poller: poller, longestLine: ControlAnswer.longestLine)
        do {
            try await stream.write(request.line, within: limit)
            while let line = try await stream.readLine(within: limit) {
                switch try ControlAnswer(line: line) {
                case .part(let value): try await part(value)
                case .result(let value): return value
                case .error(let error): throw error
                }
            }
        } catch let failure as LineStream.Failure {
            throw ControlError(failure, limit: limit)
        }
        throw ControlError(.failed, "the agent ended the connection before its answer was complete")
    }

    private func connect() throws(ControlError) -> Descriptor {
        do throws(SystemError) {
            return try UnixSocket.connect(to: path)
        } catch {
            switch error.code {
            case ENOENT, ECONNREFUSED: throw ControlError(.unavailable, "no agent runs here: nobody answers at \(path)")
            case EACCES, EPERM: throw ControlError(.forbidden, "only the agent's user and root may use \(path)")
            case EAGAIN: throw ControlError(.failed, "the agent at \(path) has too much to do")
            default: throw ControlError(.unavailable, error.description)
            }
        }
    }
}

extension ControlError {
    fileprivate init(_ failure: LineStream.Failure, limit: Duration) {
        switch failure {
        case .tooLong: self.init(.malformed, "the agent's answer has a line that is too long")
        case .timedOut: self.init(.failed, "the agent has not answered within \(limit.inWords)")
        case .disconnected: self.init(.failed, "the agent ended the connection")
        case .cancelled: self.init(.failed, "given up")
        }
    }
}
