import Glibc
package import Logging
import NIOCore
package import TrackEngine

/// Answers requests on the control socket, with limits on connections, sizes and times.
package struct ControlServer: Sendable {
    /// Sends a piece of a long response and waits until the system has accepted it.
    package typealias Parts = @Sendable (JSONValue) async throws -> Void
    /// Returns the response to a request, after any number of parts.
    package typealias Handler = @Sendable (ControlRequest, @escaping Parts) async throws -> JSONValue

    /// The limits for clients.
    package struct Limits: Sendable {
        /// The maximum number of connections. Beyond it, the connection that has waited longest for a request ends.
        /// If all have requests in progress, new ones wait to be accepted.
        package var connections = 16
        /// The time that a client may take for a request.
        package var requestTime = Duration.seconds(10)
        /// The longest time in which a client may accept none of a response, or less than 4 KiB.
        package var answerTime = Duration.seconds(30)

        package init() {}
    }

    private let socket: ControlSocket
    private let limits: Limits
    private let logger: Logger
    private let handler: Handler

    package init(
        _ socket: ControlSocket, limits: Limits = Limits(), logger: Logger, handler: @escaping Handler
    ) {
        self.socket = socket
        self.limits = limits
        self.logger = logger
        self.handler = handler
    }

    /// Answers until the task is cancelled.
    package func run() async {
        do {
            try await socket.listener.executeThenClose { try await accept($0) }
        } catch {
            guard !Task.isCancelled else { return }
            logger.error("the control socket has failed", metadata: ["reason": "\(error)"])
        }
        await WakeSignal().wait()  // the agent continues without it
    }

    private func accept(_ accepted: NIOAsyncChannelInboundStream<LineConnection>) async throws {
        let connections = ControlConnectionList(limit: limits.connections)
        try await withThrowingDiscardingTaskGroup { group in
            for try await connection in accepted {
                await connections.makeRoom()
                let ticket = connections.opened(connection)
                group.addTask {
                    await serve(connection, ticket, connections)
                    connection.close()
                    connections.closedOne()
                }
            }
        }
    }

    // MARK: A connection

    private func serve(_ connection: LineConnection, _ ticket: Int, _ connections: ControlConnectionList) async {
        var ticket = ticket
        defer { connections.waitEnded(ticket) }
        guard let user = await connection.peerUser() else { return }
        guard user == geteuid() || user == 0 else {
            logger.warning("control connection of another user refused")
            await tell(.error(ControlError(.forbidden, "only the agent's user and root may ask")), connection)
            return
        }
        do throws(LineConnection.Failure) {
            while let line = try await connection.readLine(within: limits.requestTime) {
                connections.waitEnded(ticket)
                guard await answer(line, connection), let next = connections.waitsAgain(connection) else { return }
                ticket = next
            }
        } catch {
            guard error == .tooLong else { return }
            let message = "expected a request of at most \(ControlRequest.longestLine) bytes"
            await tell(.error(ControlError(.malformed, message)), connection)
        }
    }

    /// Answers a request; returns `false` if no further request is expected from the client.
    private func answer(_ line: [UInt8], _ connection: LineConnection) async -> Bool {
        let limit = limits.answerTime
        do {
            let request = try ControlRequest(line: line)
            let result = try await handler(request) { part in
                try await connection.write(ControlReplyLine.part(part).line, within: limit)
            }
            return await tell(.result(result), connection)
        } catch is LineConnection.Failure {
            return false
        } catch let error as ControlError {
            return await tell(.error(error), connection) && error.code != .malformed
        } catch {
            return await tell(.error(ControlError(.failed, "\(error)")), connection)
        }
    }

    @discardableResult
    private func tell(_ answer: ControlReplyLine, _ connection: LineConnection) async -> Bool {
        do {
            try await connection.write(answer.line, within: limits.answerTime)
            return true
        } catch {
            return false  // the client has gone
        }
    }
}
