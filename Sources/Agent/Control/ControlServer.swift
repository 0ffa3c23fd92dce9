import Glibc
package import Logging
package import TrackEngine

/// Answers requests on the control socket: few connections at a time, bounded in size and time.
package struct ControlServer: Sendable {
    /// Sends a piece of a long answer and waits until the system has taken it.
    package typealias Parts = @Sendable (JSONValue) async throws -> Void
    /// Answers a request, after any number of parts.
    package typealias Handler = @Sendable (ControlRequest, @escaping Parts) async throws -> JSONValue

    /// How much at most a client may do or take.
    package struct Limits: Sendable {
        /// Connections at a time. Beyond them the one that has waited longest for a request ends; where all are being
        /// answered, new ones wait to be accepted.
        package var connections = 16
        /// How long a client may take for a request.
        package var requestTime = Duration.seconds(10)
        /// How long a client may take nothing of an answer.
        package var answerTime = Duration.seconds(30)

        package init() {}
    }

    private let socket: ControlSocket
    private let poller: DescriptorPoller
    private let limits: Limits
    private let logger: Logger
    private let handler: Handler

    package init(
        _ socket: ControlSocket, poller: DescriptorPoller, limits: Limits = Limits(), logger: Logger,
        handler: @escaping Handler
    ) {
        self.socket = socket
        self.poller = poller
        self.limits = limits
        self.logger = logger
        self.handler = handler
        socket.listener.makeNonBlocking()
    }

    /// Answers until the task is cancelled.
    package func run() async {
        let connections = ControlConnections(limit: limits.connections)
        await withDiscardingTaskGroup { group in
            while await poller.wait(until: .readable, socket.listener) == .ready {
                await connections.makeRoom()
                guard let connection = UnixSocket.accept(from: socket.listener) else {
                    // Out of descriptors, or the client is gone already: not again at once.
                    do { try await Task.sleep(for: .milliseconds(100)) } catch { break }
                    continue
                }
                let ticket = connections.opened(connection)
                group.addTask {
                    await serve(connection, ticket, connections)
                    connections.closedOne()
                }
            }
            group.cancelAll()
        }
    }

    // MARK: A connection

    private func serve(_ connection: Descriptor, _ ticket: Int, _ connections: ControlConnections) async {
        var ticket = ticket
        defer { connections.waitEnded(ticket) }
        var stream = LineStream(connection, poller: poller, longestLine: ControlRequest.longestLine)
        guard let user = UnixSocket.peerUser(of: connection), user == geteuid() || user == 0 else {
            logger.warning("control connection of another user refused")
            await tell(.error(ControlError(.forbidden, "only the agent's user and root may ask")), stream)
            return
        }
        do throws(LineStream.Failure) {
            while let line = try await stream.readLine(within: limits.requestTime) {
                connections.waitEnded(ticket)
                guard await answer(line, stream), let next = connections.waitsAgain(connection) else { return }
                ticket = next
            }
        } catch {
            guard error == .tooLong else { return }
            let message = "expected a request of at most \(ControlRequest.longestLine) bytes"
            await tell(.error(ControlError(.malformed, message)), stream)
        }
    }

    /// Answers a request; `false` when nothing further is to be expected of the client.
    private func answer(_ line: [UInt8], _ stream: LineStream) async -> Bool {
        let limit = limits.answerTime
        do {
            let request = try ControlRequest(line: line)
            let result = try await handler(request) { part in
                try await stream.write(ControlAnswer.part(part).line, within: limit)
            }
            return await tell(.result(result), stream)
        } catch is LineStream.Failure {
            return false
        } catch let error as ControlError {
            return await tell(.error(error), stream) && error.code != .malformed
        } catch {
            return await tell(.error(ControlError(.failed, "\(error)")), stream)
        }
    }

    @discardableResult
    private func tell(_ answer: ControlAnswer, _ stream: LineStream) async -> Bool {
        do {
            try await stream.write(answer.line, within: limits.answerTime)
            return true
        } catch {
            return false  // the client is gone; there is nobody to tell
        }
    }
}
