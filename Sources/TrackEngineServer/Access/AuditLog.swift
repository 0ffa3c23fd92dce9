import Encryption
import Glibc
package import TrackEngine

/// The file with the uses and changes of rights: edits and deletions, new sessions, added and removed tokens and
/// viewers, and wrong keys. Each entry is a line, encrypted where the list of rights is; without positions, names of
/// places and secrets.
///
/// At 512 KiB it becomes `audit.log.old`, in place of the one before. While `audit.log.encrypted` exists, a line in plain
/// is none of this log.
package struct AuditLog: Sendable {
    /// The file's name in the server's directory.
    static let name = "audit.log"
    private static let old = ".old"
    private static let plain = ".plain"
    private static let mark = ".encrypted"
    private static let longest = 512 << 10
    /// The most wrong keys in a minute with a line each; of further ones only the number is written.
    static let mostFailures = 10

    private struct Count: Sendable {
        var minute: Int64 = 0
        var count = 0
    }

    private let path: String
    private let key: StoreKey?
    private let now: @Sendable () -> Timestamp
    private let failures = SystemMutex(Count())

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
        let line = ReceiverText.oneLine("\(now().rfc3339(.seconds)) \(who): \(what)", atMost: 300)
        try? append(line)
    }

    /// Writes an entry about a wrong key, at most ``mostFailures`` times a minute.
    package func noteFailure(_ what: String, by who: String) {
        let minute = now().secondsSince1970 / 60
        let (isTold, missed) = failures.withLock { failures -> (Bool, Int) in
            let missed = failures.minute == minute ? 0 : failures.count - Self.mostFailures
            if failures.minute != minute { failures = Count(minute: minute) }
            failures.count += 1
            return (failures.count <= Self.mostFailures, missed)
        }
        if missed > 0 { note("\(missed) more keys that were none", by: "several") }
        if isTold { note(what, by: who) }
    }

    /// All lines that are kept, the oldest first. A line that does not open is replaced by a note, and so is one in
    /// plain in an encrypted log: it was not written here.
    ///
    /// - Throws: when a file cannot be read.
    package func lines() throws(PrivateFileError) -> [String] {
        let sealed = try key.map { key throws(PrivateFileError) in try EncryptedLine(key: key, of: Self.name) }
        let refusesPlain = key == nil ? false : try isEncrypted
        var all: [String] = []
        for path in [path + Self.old, path] {
            for line in try Self.lines(of: path) {
                if !Self.isPlain(line) {
                    all.append(sealed?.opened(String(line)) ?? "a line that does not open")
                } else if refusesPlain {
                    all.append("a line in plain in \(path), which was not written by this server")
                } else {
                    all.append(String(line))
                }
            }
        }
        return all
    }

    private static func lines(of path: String) throws(PrivateFileError) -> [Substring] {
        let bytes = try PrivateFile.read(path, atMost: 2 * longest)?.bytes ?? []
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
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
            let lines = try Self.lines(of: path)
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
        let bytes = Array(((line ?? text) + "\n").utf8)
        do throws(SystemError) {
            let entry = try DirectoryEntry(path)
            guard let file = entry.openOrCreate(O_WRONLY | O_APPEND | O_NONBLOCK), file.write(bytes) else {
                throw SystemError("cannot write \(path)")
            }
            if let size = file.status?.size, size > Self.longest { _ = entry.rename(to: Self.old) }
        } catch { throw PrivateFileError(error.description) }
    }
}
