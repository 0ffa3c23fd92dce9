import Glibc
import TrackEngine

/// The user's preferred browser, through `xdg-open`.
enum UserBrowser {
    /// Opens an address; returns without waiting for the browser. The address is on the browser's command line, which
    /// other users of the machine may read.
    ///
    /// - Returns: the reason why the browser could not be started; `nil` if it was. Its own errors are not reported.
    static func open(_ address: Secret) -> String? {
        var process = pid_t()
        let words = [strdup("xdg-open"), strdup(address.revealed), nil]
        defer { for word in words { free(word) } }
        // The program's output does not belong on a status screen.
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null", O_RDWR, 0)
        }
        keepDescriptors()
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Signals that end this process, such as that of Ctrl-C, are not meant for the browser. SIGPIPE, which is
        // ignored here, gets its default action again.
        var restored = sigset_t()
        sigemptyset(&restored)
        sigaddset(&restored, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &restored)
        posix_spawnattr_setflags(&attributes, ownSession | Int16(POSIX_SPAWN_SETSIGDEF))
        let result = posix_spawnp(&process, "xdg-open", &files, &attributes, words, environ)
        guard result == 0 else { return "expected the program xdg-open (package xdg-utils)" }
        // The parent of a process has to collect its exit status.
        Task.detached { [process] in
            var status: Int32 = 0
            while waitpid(process, &status, WNOHANG) == 0 {
                do { try await Task.sleep(for: .seconds(1)) } catch { return }
            }
        }
        return nil
    }

    /// POSIX_SPAWN_SETSID, which the module map of the C library does not export.
    private static let ownSession: Int16 = 0x80

    /// Keeps all descriptors but the first three from started programs: a browser with the listening socket would
    /// keep the port when this process has ended.
    private static func keepDescriptors() {
        // A name that is not read leaves its descriptor as it is, and so does a system without /proc.
        guard var listing = try? DirectoryReader("/proc/self/fd") else { return }
        while let name = try? listing.next() {
            guard let descriptor = Int32(name), descriptor > STDERR_FILENO else { continue }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
    }
}
