import Glibc
package import NIOCore
import TrackEngine

/// The agent's end of the control socket: mode 0600 in a directory that only its owner may write to.
package final class ControlSocket: Sendable {
    /// The path of the socket.
    package let path: String
    let listener: NIOAsyncChannel<LineConnection, Never>
    private let identity: FileStatus.Identity?

    /// Listens at a path, and replaces a socket that a crashed agent has left behind.
    ///
    /// - Parameter patience: the longest wait for another agent that opens a socket in the same directory.
    /// - Throws: ``ControlError/Code/busy`` if an agent responds there, ``ControlError/Code/unavailable`` if the path
    ///   cannot be used.
    package init(
        path: String, on group: any EventLoopGroup, patience: Duration = .seconds(5)
    ) async throws(ControlError) {
        self.path = path
        do throws(SystemError) {
            try Self.makeDirectory(of: path)
            // Held until the end of the initialiser: a socket that is bound but does not listen yet looks like one
            // that was left behind.
            let lock = try await Self.lockDirectory(of: path, within: patience)
            defer { withExtendedLifetime(lock) {} }
            try await Self.clear(path, group)
            listener = try await UnixSocket.listen(at: path, on: group, longestLine: ControlRequest.longestLine)
            identity = FileStatus.at(path)?.identity
        } catch {
            throw ControlError(error.code == EADDRINUSE ? .busy : .unavailable, error.description)
        }
    }

    /// Stops listening and removes the file, unless another one has replaced it.
    package func remove() {
        listener.channel.close(promise: nil)
        if let identity, FileStatus.at(path)?.identity == identity { unlink(path) }
    }

    private static func makeDirectory(of path: String) throws(SystemError) {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return }
        let directory = String(path[..<slash])
        guard mkdir(directory, 0o700) == 0 || errno == EEXIST else {
            throw SystemError("cannot make the directory \(directory)")
        }
        // The directory may be reached through a link, as systemd's `DynamicUser=` makes it; a link's own mode is
        // 0777.
        guard let status = FileStatus.following(directory), !status.isWritableByOthers,
            status.isOwn || status.owner == 0
        else {
            throw SystemError("\(directory) must be a directory that only its owner may write to", code: EPERM)
        }
    }

    /// Locks the directory against other agents that open a socket in it; `nil` if it cannot be locked, as on some
    /// network file systems.
    private static func lockDirectory(
        of path: String, within patience: Duration
    ) async throws(SystemError) -> FileLock? {
        let directory = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        guard let opened = Descriptor.open(directory, O_RDONLY | O_DIRECTORY) else { return nil }
        let end = ContinuousClock.now.advanced(by: patience)
        while true {
            if let lock = FileLock.take(opened) { return lock }
            guard errno == EWOULDBLOCK else { return nil }
            guard ContinuousClock.now < end, !Task.isCancelled else {
                throw SystemError("another agent is starting in \(directory)", code: EADDRINUSE)
            }
            try? await Task.sleep(for: .milliseconds(10))  // throws when the task is cancelled, which is checked above
        }
    }

    /// Removes a socket that no process listens on, and leaves all other files alone.
    private static func clear(_ path: String, _ group: any EventLoopGroup) async throws(SystemError) {
        guard let status = FileStatus.at(path) else { return }
        guard status.kind == .socket else { throw SystemError("\(path) is no socket", code: EEXIST) }
        do throws(SystemError) {
            try await UnixSocket.connect(to: path, on: group, longestLine: 0).close()
        } catch {
            guard error.code == ECONNREFUSED || error.code == ENOENT else { throw error }
            unlink(path)
            return
        }
        throw SystemError("another agent answers at \(path)", code: EADDRINUSE)
    }
}
