import Glibc
import TrackEngine

/// The browser that the desktop's owner prefers, through `xdg-open`.
enum WebBrowser {
    /// Opens an address; returns without waiting for the browser.
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
        let result = posix_spawnp(&process, "xdg-open", &files, nil, words, environ)
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
}
