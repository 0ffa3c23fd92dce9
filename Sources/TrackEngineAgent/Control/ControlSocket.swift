import Glibc
package import NIOCore
import TrackEngine

/// The agent's end of the control socket: mode 0600 in a directory that only its owner may write to.
package final class ControlSocket: Sendable {
    /// The path of the socket.
    package let path: String
    let listener: NIOAsyncChannel<LineConnection, Never>
    private let inode: ino_t

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
            inode = Self.status(of: path)?.st_ino ?? 0
        } catch {
            throw ControlError(error.code == EADDRINUSE ? .busy : .unavailable, error.description)
        }
    }

    /// Stops listening and removes the file, unless another one has replaced it.
    package func remove() {
        listener.channel.close(promise: nil)
        if Self.status(of: path)?.st_ino == inode { unlink(path) }
    }

    private static func makeDirectory(of path: String) throws(SystemError) {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return }
        let directory = String(path[..<slash])
        guard mkdir(directory, 0o700) == 0 || errno == EEXIST else {
            throw SystemError("cannot make the directory \(directory)")
        }
        // The directory may be reached through a link, as systemd's `DynamicUser=` makes it; a link's own mode is
        // 0777.
        var status = stat()
        guard stat(directory, &status) == 0, status.st_mode & 0o022 == 0, [0, geteuid()].contains(status.st_uid)
        else {
            throw SystemError("\(directory) must be a directory that only its owner may write to", code: EPERM)
        }
    }

    /// Locks the directory against other agents that open a socket in it; `nil` if it cannot be locked, as on some
    /// network file systems.
    private static func lockDirectory(
        of path: String, within patience: Duration
    ) async throws(SystemError) -> Descriptor? {
        let directory = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let raw = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard raw >= 0 else { return nil }
        let descriptor = Descriptor(owning: raw)
        let end = ContinuousClock.now.advanced(by: patience)
        while flock(raw, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK else { return nil }
            guard ContinuousClock.now < end, !Task.isCancelled else {
                throw SystemError("another agent is starting in \(directory)", code: EADDRINUSE)
            }
            try? await Task.sleep(for: .milliseconds(10))  // throws when the task is cancelled, which is checked above
        }
        return descriptor
    }

    /// Removes a socket that no process listens on, and leaves all other files alone.
    private static func clear(_ path: String, _ group: any EventLoopGroup) async throws(SystemError) {
        guard let status = status(of: path) else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw SystemError("\(path) is no socket", code: EEXIST) }
        do throws(SystemError) {
            try await UnixSocket.connect(to: path, on: group, longestLine: 0).close()
        } catch {
            guard error.code == ECONNREFUSED || error.code == ENOENT else { throw error }
            unlink(path)
            return
        }
        throw SystemError("another agent answers at \(path)", code: EADDRINUSE)
    }

    private static func status(of path: String) -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 ? status : nil
    }
}
