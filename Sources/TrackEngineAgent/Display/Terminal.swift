import Glibc
import TrackEngine
import TrackEngineSettings

/// A file descriptor that may lead to a terminal.
struct Terminal: Sendable {
    let descriptor: Int32

    /// Standard output.
    static let output = Terminal(descriptor: STDOUT_FILENO)
    /// Standard error.
    static let error = Terminal(descriptor: STDERR_FILENO)

    /// Whether it is a terminal, which a user probably reads.
    var isInteractive: Bool { isatty(descriptor) == 1 }

    /// Whether it is a terminal that supports cursor movements; a dumb or unnamed terminal does not.
    func canMoveCursor(environment: [String: String]) -> Bool {
        guard isInteractive, let kind = environment["TERM"] else { return false }
        return !kind.isEmpty && kind != "dumb"
    }

    /// Whether it is a pipe, which may lose its reader.
    var isPipe: Bool {
        FileStatus.of(descriptor)?.kind == .pipe
    }

    /// Whether it leads to systemd's journal: `JOURNAL_STREAM` names its device and inode (systemd.exec(5)). The
    /// variable alone is no proof, because children inherit it.
    func isJournal(environment: [String: String]) -> Bool {
        guard let stream = environment["JOURNAL_STREAM"], let file = FileStatus.of(descriptor)?.identity else {
            return false
        }
        return stream == "\(file.device):\(file.number)"
    }

    /// Its size, and whether it has colours; 80 columns if the size is unknown.
    func style(environment: [String: String]) -> StatusStyle {
        var size = winsize()
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        let noColour = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        return StatusStyle(
            columns: isKnown ? min(max(Int(size.ws_col), 20), 1000) : 80,
            rows: isKnown && size.ws_row > 1 ? Int(size.ws_row) - 1 : nil,
            usesColour: isInteractive && !noColour && environment["TERM"] != "dumb")
    }

    /// Whether it has colours, according to this process's environment.
    var usesColour: Bool { style(environment: ProcessEnvironment.current).usesColour }

    /// Writes without waiting for a slow reader: no bytes if the other side does not accept any now, and the rest of
    /// a text only as long as the other side keeps accepting bytes.
    ///
    /// - Returns: whether all bytes were written.
    @discardableResult
    func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        var patience: Int32 = 0
        while !rest.isEmpty {
            var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard poll(&entry, 1, patience) == 1, entry.revents & Int16(POLLOUT) != 0 else { return false }
            // A pipe that can be written to takes this much without blocking (pipe(7), PIPE_BUF).
            let count = rest.prefix(4096).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
            patience = 20
        }
        return true
    }
}
