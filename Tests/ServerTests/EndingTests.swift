import Foundation
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory
import TrackEngineServer

/// Connections that arrive while a server ends: swift-nio ends the process for one that is released before it is closed.
@Suite("A server that ends", .timeLimit(.minutes(30)))
struct EndingTests {
    @Test func `A connection that no task has taken is closed when it is released`() async throws {
        let channel = NIOAsyncTestingChannel()
        // Released at once.
        _ = try await channel.testingEventLoop.executeInContext {
            ServerConnection(try ServerConnection.Connection(wrappingChannelSynchronously: channel))
        }
        try await channel.closeFuture.get()
    }

    @Test func `Connections to its first port are dropped when its second is taken`() async throws {
        let (first, second) = (try ReservedPort(), try ReservedPort())
        let socket = try LoopbackSocket.listen(at: .ipv4(second.number), backlog: 1)
        defer { close(socket) }
        try await TestEnvironment.withTemporaryDirectory { directory in
            let history = try await TrackHistory.open(directory: directory + "/history")
            var configuration = ServerConfiguration()
            (configuration.port, configuration.osmAndPort) = (first.number, second.number)
            let server = TrackServer(
                configuration, history: history, access: try AccessFile(path: directory + "/access.json"),
                logger: Logger(label: "test"))
            for _ in 1...50 {
                for _ in 1...4 { Thread.detachNewThread { Self.knock(at: first.number) } }
                await #expect(throws: ServerError.self) { try await server.run() }
            }
            await history.close()
        }
    }

    /// Connects many times, whether a server listens or not.
    private static func knock(at port: Int) {
        for _ in 1...200 {
            if let descriptor = LoopbackSocket.connect(to: .ipv4(port)) { close(descriptor) }
        }
    }
}
