import Glibc

/// What is behind a descriptor that people may be looking at.
struct Terminal: Sendable {
    let descriptor: Int32

    /// Standard output.
    static let output = Terminal(descriptor: STDOUT_FILENO)
    /// Standard error.
    static let error = Terminal(descriptor: STDERR_FILENO)

    /// Whether a person looks at it, as far as one can tell.
    var isInteractive: Bool { isatty(descriptor) == 1 }

    /// Whether a person looks at something that obeys cursor movements: a dumb or unnamed terminal does not.
    func canMoveCursor(environment: [String: String]) -> Bool {
        guard isInteractive, let kind = environment["TERM"] else { return false }
        return !kind.isEmpty && kind != "dumb"
    }

    /// Whether it is a pipe, whose reader may go away.
    var isPipe: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }

    /// Whether it leads to systemd's journal: `JOURNAL_STREAM` names its device and inode (systemd.exec(5)). The variable
    /// alone says nothing, since children inherit it.
    func isJournal(environment: [String: String]) -> Bool {
        var status = stat()
        guard let stream = environment["JOURNAL_STREAM"], fstat(descriptor, &status) == 0 else { return false }
        return stream == "\(status.st_dev):\(status.st_ino)"
    }

    /// Its size and whether it has colours; the usual 80 columns where nothing is known.
    func style(environment: [String: String]) -> StatusStyle {
        var size = winsize()
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        let noColour = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        return StatusStyle(
            columns: isKnown ? min(max(Int(size.ws_col), 20), 1000) : 80,
            rows: isKnown && size.ws_row > 1 ? Int(size.ws_row) - 1 : nil,
            usesColour: isInteractive && !noColour && environment["TERM"] != "dumb")
    }

    /// Whether it has colours, as this process' environment says.
    var usesColour: Bool { style(environment: ProcessEnvironment.current).usesColour }

    /// Writes without waiting for a slow reader: nothing when the other side takes nothing at the moment, and the rest
    /// of a text only as long as the other side keeps taking it.
    ///
    /// - Returns: whether all was written.
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
