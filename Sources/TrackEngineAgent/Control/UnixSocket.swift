import Glibc
package import NIOCore
import NIOPosix
package import TrackEngine

/// Stream sockets in the file system that transfer lines.
package enum UnixSocket {
    /// The maximum length of a socket's path, in bytes: `sun_path` has room for it and a zero.
    static let longestPath = 107

    /// Connects to a listening socket.
    ///
    /// - Throws: ``SystemError`` with `ENOENT` or `ECONNREFUSED` if no process listens there.
    package static func connect(
        to path: String, on group: any EventLoopGroup, longestLine: Int
    ) async throws(SystemError) -> LineConnection {
        do {
            return try await ClientBootstrap(group: group)
                .channelOption(.autoRead, value: false)
                .channelOption(.maxMessagesPerRead, value: 1)
                .connect(unixDomainSocketPath: path) { channel in
                    channel.eventLoop.makeCompletedFuture { try LineConnection(channel, longestLine: longestLine) }
                }
        } catch {
            throw SystemError("cannot connect to \(path)", error)
        }
    }

    /// Listens at a path that must be free; only the file's owner may connect.
    static func listen(
        at path: String, on group: any EventLoopGroup, longestLine: Int
    ) async throws(SystemError) -> NIOAsyncChannel<LineConnection, Never> {
        do {
            return try await ServerBootstrap(group: group)
                .serverChannelOption(.backlog, value: 128)
                .serverChannelOption(.maxMessagesPerRead, value: 1)
                .serverChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(SocketBackoff())
                    }
                }
                .childChannelOption(.autoRead, value: false)
                .childChannelOption(.maxMessagesPerRead, value: 1)
                .childChannelOption(.allowRemoteHalfClosure, value: true)
                .bind(bound(to: path), serverBackPressureStrategy: .init(lowWatermark: 1, highWatermark: 1)) {
                    channel in
                    channel.eventLoop.makeCompletedFuture { try LineConnection(channel, longestLine: longestLine) }
                }
        } catch {
            throw SystemError("cannot listen on \(path)", error)
        }
    }

    /// A socket with a path. The bootstrap would remove the path in the end, even if another agent's socket has
    /// replaced it.
    private static func bound(to path: String) throws -> NIOBSDSocket.Handle {
        let address = try SocketAddress(unixDomainSocketPath: path)
        let raw = socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard raw >= 0 else { throw IOError(errnoCode: errno, reason: "socket") }
        // The file gets the mode that the socket has when it is bound, so it is never open to others.
        guard fchmod(raw, 0o600) == 0, address.withSockAddr({ bind(raw, $0, socklen_t($1)) }) == 0 else {
            let code = errno
            close(raw)
            throw IOError(errnoCode: code, reason: "bind")
        }
        return raw
    }
}

extension LineConnection {
    /// The user on the other side, according to the kernel; `nil` if the connection has ended.
    func peerUser() async -> uid_t? {
        guard let socket = channel as? any SocketOptionProvider else { return nil }
        // struct ucred, which Glibc's module does not export: pid, uid, gid.
        let credentials: EventLoopFuture<(pid_t, uid_t, gid_t)> = socket.unsafeGetSocketOption(
            level: .socket, name: NIOBSDSocket.Option(rawValue: SO_PEERCRED))
        return try? await credentials.get().1  // fails when the channel is closed
    }

    /// The number of bytes that the kernel holds for the other side, with its own overhead. Call it on the event loop.
    var untakenBytes: Int {
        var count: Int32 = 0
        withSocket { _ = ioctl($0, UInt(TIOCOUTQ), &count) }
        return Int(count)
    }

    /// Reads the bytes that are on their way, but none that the other side sends from now on.
    package func endInput() {
        channel.eventLoop.execute {
            // Closing the channel's input would drop bytes that the kernel already has.
            withSocket { _ = shutdown($0, Int32(SHUT_RD)) }
        }
    }

    /// Calls `body` with the socket, unless the channel is closed. Call it on the event loop.
    private func withSocket(_ body: (NIOBSDSocket.Handle) -> Void) {
        // Fails if the channel is closed.
        try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self, body)
    }
}

/// Pauses a listener briefly after it could not accept a connection, for lack of descriptors or memory. The
/// connection still waits, and the channel would otherwise try again at once, for ever.
private final class SocketBackoff: ChannelInboundHandler {
    typealias InboundIn = any Channel

    private static let length = TimeAmount.milliseconds(100)

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let channel = context.channel
        channel.setOption(.autoRead, value: false).whenComplete { _ in
            channel.eventLoop.scheduleTask(in: Self.length) { channel.setOption(.autoRead, value: true) }
        }
    }
}

extension SystemError {
    fileprivate init(_ message: String, _ error: any Error) {
        self.init(message, code: (error as? IOError)?.errnoCode ?? (error is SocketAddressError ? ENAMETOOLONG : EIO))
    }
}
