import Encryption
import Glibc
package import TrackEngine

/// The file with the uses and changes of rights: edits and deletions, new sessions, added and removed tokens and
/// viewers, and wrong keys. Each entry is a line, encrypted where the list of rights is; without positions, names of
/// places and secrets.
///
/// Beyond 512 KiB it becomes `audit.log.old`, in place of the one before; where that fails, it loses its older half.
/// While `audit.log.encrypted` exists, a line in plain is none of this log.
///
/// A line that was not written to its end, as after a kill or on a full disk, is ended by the next entry with a mark
/// that no entry contains.
package struct AuditLog: Sendable {
    /// The file's name in the server's directory.
    static let name = "audit.log"
    private static let old = ".old"
    private static let plain = ".plain"
    private static let mark = ".encrypted"
    private static let longest = 512 << 10
    /// The most bytes of a file that are read, from its end: more than the encryption of all lines of a full one makes.
    private static let mostRead = 4 * longest
    /// Ends an incomplete line: the control character "cancel". ``ReceiverText`` lets none into an entry.
    private static let cancelled = "\u{18}"

    private let path: String
    private let key: StoreKey?
    private let now: @Sendable () -> Timestamp
    private let shares = SystemMutex(AuditLimiter())

    /// The log of a directory.
    ///
    /// - Parameter key: the key that encrypts lines; `nil` for lines in plain.
    package init(in directory: String, key: StoreKey?, now: @escaping @Sendable () -> Timestamp = Timestamp.now) {
        path = "\(directory)/\(Self.name)"
        self.key = key
        self.now = now
    }

    /// Appends an entry. A failure to write does not prevent the action.
    ///
    /// - Parameters:
    ///   - who: the viewer, or the address that a request came from.
    package func note(_ what: String, by who: String) {
        // A device's name is input from outside.
        let line = ReceiverText.oneLine("\(now().rfc3339(.seconds)) \(who): \(what)", atMost: 400)
        try? append(line)
    }

    /// Appends an entry within a share.
    package func note(_ what: String, by who: String, share owner: AuditLimiter.Owner) {
        let entry = AuditEntry(who: who, what: what)
        let lines = shares.withLock { $0.lines(for: entry, of: owner, at: now()) }
        for line in lines { note(line.what, by: line.who) }
    }

    /// The lines that are kept, the oldest first; of a file that is too long, the newest. A line that does not open is
    /// replaced by a note, and so are an incomplete one and one in plain in an encrypted log: it was not written here.
    ///
    /// - Throws: when a file cannot be read.
    package func lines() throws(PrivateFileError) -> [String] {
        let sealed = try key.map { key throws(PrivateFileError) in try EncryptedLine(key: key, of: Self.name) }
        let refusesPlain = key == nil ? false : try isEncrypted
        var all: [String] = []
        for path in [path + Self.old, path] {
            let (lines, isCut) = try Self.lines(of: path)
            if isCut { all.append("older lines of \(path), which are not shown") }
            for line in lines {
                if line.hasSuffix(Self.cancelled) {
                    all.append(Self.incomplete)
                } else if !Self.isPlain(line) {
                    let text = sealed?.opened(String(line)) ?? "a line that does not open"
                    all.append(text.hasSuffix(Self.cancelled) ? Self.incomplete : text)
                } else if refusesPlain {
                    all.append("a line in plain in \(path), which was not written by this server")
                } else {
                    all.append(ReceiverText.oneLine(String(line), atMost: Self.longestLine))
                }
            }
        }
        return all
    }

    /// The most characters of a line in plain that are shown.
    private static let longestLine = 1_000
    private static let incomplete = "an incomplete line"

    /// The lines of a file, and whether older ones are left out. One without an end has the mark of an incomplete line.
    private static func lines(
        of path: String, atMost limit: Int = mostRead
    ) throws(PrivateFileError) -> (lines: [Substring], isCut: Bool) {
        guard let (bytes, isCut) = try PrivateFile.readEnd(path, atMost: limit), let last = bytes.last else {
            return ([], false)
        }
        let end = UInt8(ascii: "\n")
        let whole = isCut ? bytes.drop { $0 != end } : bytes[...]
        let text = String(decoding: whole, as: UTF8.self) + (last == end ? "" : cancelled)
        // By scalars: "\r\n" is one character, and no line of this log ends with it.
        return (text.unicodeScalars.split(separator: "\n").map(Substring.init), isCut)
    }

    private static func isPlain(_ line: Substring) -> Bool { line.contains(" ") }

    /// Whether all lines were encrypted.
    private var isEncrypted: Bool {
        get throws(PrivateFileError) { try PrivateFile.read(path + Self.mark, atMost: 4_096) != nil }
    }

    /// Encrypts the lines that were written before there was a key, once, and overwrites their plain text.
    package func encrypt() throws(PrivateFileError) {
        guard let key else {
            try PrivateFile.erase(path + Self.mark)  // from now on, lines in plain are its own
            return
        }
        guard try !isEncrypted else { return try eraseRemains() }
        let seal = try EncryptedLine(key: key, of: Self.name)
        try eraseRemains()
        for path in [path + Self.old, path] {
            let lines = try Self.lines(of: path).lines
            guard lines.contains(where: Self.isPlain) else { continue }
            var text = ""
            for line in lines { text += (Self.isPlain(line) ? try seal.sealed(String(line)) : String(line)) + "\n" }
            try PrivateFile.link(path, adding: Self.plain)
            try PrivateFile.replace(path, with: Array(text.utf8))
            try PrivateFile.erase(path + Self.plain)
        }
        let words = "\(Self.name) is encrypted. Remove this file to have lines in plain taken for genuine.\n"
        try PrivateFile.replace(path + Self.mark, with: Array(words.utf8))
    }

    /// Overwrites the plain text that an interrupted attempt left.
    private func eraseRemains() throws(PrivateFileError) {
        for path in [path + Self.old, path] { try PrivateFile.erase(path + Self.plain) }
    }

    private func append(_ text: String) throws(PrivateFileError) {
        let line = try key.map { key throws(PrivateFileError) in try EncryptedLine(key: key, of: Self.name).sealed(text)
        }
        do throws(SystemError) {
            let file = try room(in: try DirectoryEntry(path))
            let bytes = Array(((endsInLine(file) ? "" : Self.cancelled + "\n") + (line ?? text) + "\n").utf8)
            guard file.write(bytes) else { throw SystemError("cannot write \(path)") }
        } catch { throw PrivateFileError(error.description) }
    }

    /// Opens the file for another entry. One that is full is put aside before, or else shortened.
    private func room(in entry: DirectoryEntry) throws(SystemError) -> Descriptor {
        let file = try opened(entry)
        guard let size = file.status?.size, size > Self.longest else { return file }
        if !entry.rename(to: Self.old) { try shorten() }
        return try opened(entry)
    }

    private func opened(_ entry: DirectoryEntry) throws(SystemError) -> Descriptor {
        guard let file = entry.openOrCreate(O_RDWR | O_APPEND | O_NONBLOCK) else {
            throw SystemError("cannot write \(path)")
        }
        return file
    }

    /// Removes the older half of the lines.
    private func shorten() throws(SystemError) {
        do throws(PrivateFileError) {
            let newest = try Self.lines(of: path, atMost: Self.longest / 2).lines
            try PrivateFile.replace(path, with: Array(newest.map { $0 + "\n" }.joined().utf8))
        } catch { throw SystemError(error.description, code: EIO) }
    }

    /// Whether the last line is complete, or there is none.
    private func endsInLine(_ file: Descriptor) -> Bool {
        let size = file.status?.size ?? 0
        var last: UInt8 = 0
        return size == 0 || pread(file.raw, &last, 1, off_t(size - 1)) == 1 && last == UInt8(ascii: "\n")
    }
}
