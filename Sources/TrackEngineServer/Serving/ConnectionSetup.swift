import HummingbirdCore
import Logging
package import NIOCore
package import NIOHTTPTypes
import TrackEngine

/// Sets up connections that are closed even when no task serves them.
///
/// swift-nio sets an accepted connection up on its own event loop and then hands it to the task that accepts. If that
/// task has been cancelled in between, or the listening socket has been closed, swift-nio releases the connection
/// without closing it, and the check of its writer ends the process: "Deinited NIOAsyncWriter without calling
/// finish()" (issues 2637 and 3481 of swift-nio).
struct ConnectionSetup<Base: ServerChildChannel>: ServerChildChannel
where Base.Value == ServerConnection.Connection {
    let base: Base

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<ServerConnection> {
        base.setup(channel: channel, logger: logger).map { ServerConnection($0) }
    }

    func handle(value: ServerConnection, logger: Logger) async {
        await base.handle(value: value.take(), logger: logger)
    }
}

/// A connection that closes when it is released before a task has taken it.
package final class ServerConnection: ServerChildChannelValue {
    package typealias Connection = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    private let connection: Connection
    private let isTaken = SystemMutex(false)

    package init(_ connection: Connection) { self.connection = connection }

    deinit {
        guard !isTaken.withLock({ $0 }) else { return }
        // Unstructured, because nobody is left who could wait; it ends when the connection is closed.
        Task { [connection] in
            // An error means that the connection was closed already.
            try? await connection.executeThenClose { _, _ in }
        }
    }

    package var channel: any Channel { connection.channel }

    /// The connection, for the task that serves it and closes it.
    func take() -> Connection {
        isTaken.withLock { $0 = true }
        return connection
    }
}
