import Encryption
import Glibc
import SQLiteAccess
package import TrackEngine
import TrackEngineSettings

/// A small file next to a history that holds names, encrypted when the history is.
///
/// An encrypted file is a mark (4 bytes), a version (1) and the sealed contents, bound to the file's name. A plain
/// file is read as well: it was written before there was a key.
package struct EncryptedHistoryFile: Sendable {
    private let path: String
    private let seal: HistoryCipher?

    private static let mark = Array("TEHF".utf8) + [1]

    init(_ path: String, _ seal: HistoryCipher?) {
        self.path = path
        self.seal = seal
    }

    /// Returns the contents of the file; `nil` when it does not exist.
    ///
    /// - Throws: ``/TrackEngine/StoreError/Code/wrongKey`` for an encrypted file next to a plain or another history,
    ///   and for a plain file in the place of an encrypted one, ``/TrackEngine/StoreError/Code/inputOutput`` for a
    ///   file that cannot be read.
    package func read(atMost limit: Int) throws(StoreError) -> [UInt8]? {
        guard let bytes = try contents(atMost: limit) else { return nil }
        guard Self.isSealed(bytes) else {
            guard seal == nil || !mark.isSet else { throw mark.refusal }
            return bytes
        }
        guard let opened = seal?.open(Array(bytes.dropFirst(Self.mark.count)), as: .file, name: name) else {
            throw StoreError(.wrongKey, "\(path): expected a file that was encrypted with this history")
        }
        return opened
    }

    /// Replaces the file, through to the disk. Only one caller at a time may call this.
    package func replace(with bytes: [UInt8]) throws(StoreError) {
        let sealed = try seal.map { seal throws(StoreError) in
            Self.mark + (try seal.seal(bytes, as: .file, name: name))
        }
        try write(sealed ?? bytes)
        if seal != nil { try mark.set() }
    }

    /// Encrypts a plain file next to an encrypted history, and overwrites the old contents.
    package func encryptIfPlain(atMost limit: Int) throws(StoreError) {
        guard seal != nil, let bytes = try contents(atMost: limit) else { return }
        let old = path + ".plain"
        guard !Self.isSealed(bytes) else {
            try DatabaseFile.erase(old)  // left by an interrupted attempt
            return try mark.set()
        }
        guard !mark.isSet else { throw mark.refusal }
        // A second name for the old file, which may exist already. With only the first name, the file would be gone
        // before it is overwritten.
        guard link(path, old) == 0 || errno == EEXIST else { throw DatabaseFile.failure("encrypt", path) }
        try replace(with: bytes)
        try DatabaseFile.erase(old)
    }

    /// Decrypts the file, if it is encrypted. One that was set aside may not open, and then stays.
    func decrypt() throws(StoreError) {
        guard let found = try contents(atMost: Self.most), Self.isSealed(found) else { return try mark.remove() }
        let opened: [UInt8]?
        do throws(StoreError) { opened = try read(atMost: Self.most) } catch {
            guard PrivateFile.isSetAside(path) else { throw error }
            return
        }
        guard let bytes = opened else { return }
        try mark.remove()
        try DatabaseFile.erase(path + ".plain")  // left by an interrupted encryption
        try write(bytes)
    }
}

// MARK: - Bytes

extension EncryptedHistoryFile {
    /// A limit above the size of any of these files.
    private static let most = 64 << 20

    private var mark: EncryptionMark { EncryptionMark(of: path) }

    /// The last part of the path, before the file was set aside.
    private var name: String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return PrivateFile.isSetAside(name) ? String(name.dropLast(PrivateFile.asideSuffix.count)) : name
    }

    private static func isSealed(_ bytes: [UInt8]) -> Bool { bytes.starts(with: mark) }

    /// The names of the encrypted files in a directory.
    static func names(in directory: String) -> [String] {
        DatabaseFile.names(in: directory).filter { name in
            isSealed(DatabaseFile.head(of: directory + "/" + name, count: mark.count))
        }
    }

    private func contents(atMost limit: Int) throws(StoreError) -> [UInt8]? {
        do throws(PrivateFileError) {
            return try PrivateFile.read(path, atMost: limit + Self.mark.count + ContentCipher.overhead)?.bytes
        } catch { throw StoreError(.inputOutput, "\(error)") }
    }

    private func write(_ bytes: [UInt8]) throws(StoreError) {
        do throws(PrivateFileError) { try PrivateFile.replace(path, with: bytes) } catch {
            throw StoreError(.inputOutput, "\(error)")
        }
    }
}
