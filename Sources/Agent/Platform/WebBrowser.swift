import Glibc
import TrackEngine

/// The browser that the desktop's owner prefers, through `xdg-open`.
enum WebBrowser {
    /// Opens an address; returns without waiting for the browser. The address is on the browser's command line, which other
    /// users of the machine may read.
    ///
    /// - Returns: why that is not possible, `nil` when it began. What the browser makes of it is not told.
    static func open(_ address: Secret) -> String? {
        var process = pid_t()
        let words = [strdup("xdg-open"), strdup(address.revealed), nil]
        defer { for word in words { free(word) } }
        // It says much that belongs on no status screen.
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
        // What ends this process, as Ctrl-C, is not meant for the browser; SIGPIPE, which is ignored here, is.
        var restored = sigset_t()
        sigemptyset(&restored)
        sigaddset(&restored, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &restored)
        posix_spawnattr_setflags(&attributes, ownSession | Int16(POSIX_SPAWN_SETSIGDEF))
        let result = posix_spawnp(&process, "xdg-open", &files, &attributes, words, environ)
        guard result == 0 else { return "expected the program xdg-open (package xdg-utils)" }
        // Whoever starts a process has to take its end.
        Task.detached { [process] in
            var status: Int32 = 0
            while waitpid(process, &status, WNOHANG) == 0 {
                do { try await Task.sleep(for: .seconds(1)) } catch { return }
            }
        }
        return nil
    }

    /// POSIX_SPAWN_SETSID, which the module map of the C library hides.
    private static let ownSession: Int16 = 0x80

    /// Lets no descriptor but the first three pass into programs that are started: a browser that had the listening socket
    /// would keep the port when this process has ended.
    private static func keepDescriptors() {
        // A name that is not read keeps its descriptor as it is, and so does a system without /proc.
        guard var listing = try? DirectoryReader("/proc/self/fd") else { return }
        while let name = try? listing.next() {
            guard let descriptor = Int32(name), descriptor > STDERR_FILENO else { continue }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
    }
}
