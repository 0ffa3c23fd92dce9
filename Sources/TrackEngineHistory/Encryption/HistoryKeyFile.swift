import Encryption
import SQLiteAccess
import TrackEngine

/// The file `key.sealed` next to an encrypted history: the history's own key, sealed under the store's key.
///
/// During a change of the store's key, the file may hold the history's key under two keys, so that the history need
/// not be rewritten. Without this file the history cannot be read.
///
/// Format: `TEHK`, a version (1 byte), the number of entries (1), and of each entry the name of the key that seals it
/// (4) and the sealed key (72).
struct HistoryKeyFile: Sendable, Hashable {
    /// The sealed key of the history.
    private struct Entry: Sendable, Hashable {
        let keyName: [UInt8]
        let sealed: [UInt8]
    }

    private var entries: [Entry]
    /// Whether the bytes around the keys are undamaged.
    private let hasSoundHead: Bool

    private static let head = Array("TEHK".utf8) + [1]
    private static let context = Array("track-engine history key".utf8)
    private static let purposes: StaticString = "TrkHKeyF"
    private static let nameLength = 4
    private static let entryLength = nameLength + ContentCipher.keyLength + ContentCipher.overhead

    /// A file that holds a history's key under one of the store's.
    init(_ key: [UInt8], under outer: StoreKey) throws(StoreError) {
        entries = [try Self.seal(key, under: outer)]
        hasSoundHead = true
    }

    /// The number of keys that open the file.
    var count: Int { entries.count }

    /// Returns the history's key; `nil` when it is not sealed under this key.
    func key(openedBy outer: StoreKey) throws(StoreError) -> [UInt8]? {
        let (_, seal) = try Self.seal(of: outer)
        for entry in entries {
            // An entry that opens holds the key, even if the rest of the file is damaged. The reason why an entry
            // does not open is unknown.
            if let key = try? seal.open(entry.sealed, boundTo: Self.context) { return key }
        }
        return nil
    }

    /// Whether the file is damaged, as far as a key of the store can show: its head is damaged, or an entry names
    /// this key and does not open with it, or an entry opens with it and does not name it.
    func isDamaged(for outer: StoreKey) throws(StoreError) -> Bool {
        let (name, seal) = try Self.seal(of: outer)
        return !hasSoundHead
            || entries.contains { entry in
                // Only the success of opening matters here.
                ((try? seal.open(entry.sealed, boundTo: Self.context)) != nil) != (entry.keyName == name)
            }
    }

    /// Adds a key that opens the file.
    mutating func add(_ key: [UInt8], under outer: StoreKey) throws(StoreError) {
        guard try self.key(openedBy: outer) == nil else { return }
        entries.append(try Self.seal(key, under: outer))
    }

    private static func seal(_ key: [UInt8], under outer: StoreKey) throws(StoreError) -> Entry {
        let (name, seal) = try seal(of: outer)
        do throws(EncryptionError) {
            return Entry(keyName: name, sealed: try seal.seal(key, boundTo: context))
        } catch { throw StoreError(.inputOutput, "the history's key cannot be encrypted: \(error)") }
    }

    private static func seal(of outer: StoreKey) throws(StoreError) -> (name: [UInt8], ContentCipher) {
        do throws(EncryptionError) {
            let derived = try DerivedKey.derive(from: outer.bytes, number: 1, purposes: purposes)
            let name = try DerivedKey.derive(from: outer.bytes, number: 2, purposes: purposes)
            return (Array(name[..<nameLength]), try ContentCipher(key: derived))
        } catch { throw StoreError(.inputOutput, "the history's key cannot be encrypted: \(error)") }
    }
}

// MARK: - On the disk

extension HistoryKeyFile {
    private static let longest = head.count + 1 + 255 * entryLength

    /// Reads the file; `nil` when it does not exist.
    ///
    /// - Throws: ``StoreError/Code/damaged`` for any other format than that of ``write(to:)``.
    static func read(_ path: String) throws(StoreError) -> HistoryKeyFile? {
        guard FileStatus.at(path) != nil else { return nil }
        try DatabaseFile.requireRegular(path)
        guard let file = HistoryKeyFile(DatabaseFile.head(of: path, count: longest)) else {
            throw StoreError(.damaged, "\(path): expected the sealed key of a history; restore it from a copy")
        }
        return file
    }

    /// Reads bytes that have the length of such a file. The head may be damaged; damage of a key shows when it is
    /// opened.
    private init?(_ bytes: [UInt8]) {
        let body = bytes.dropFirst(Self.head.count + 1)
        guard !body.isEmpty, body.count % Self.entryLength == 0 else { return nil }
        hasSoundHead =
            bytes.starts(with: Self.head) && Int(bytes[Self.head.count]) == body.count / Self.entryLength
        entries = stride(from: body.startIndex, to: body.endIndex, by: Self.entryLength).map { start in
            let end = start + Self.nameLength
            return Entry(keyName: Array(body[start..<end]), sealed: Array(body[end..<start + Self.entryLength]))
        }
    }

    /// Replaces the file, through to the disk.
    func write(to path: String) throws(StoreError) {
        let bytes = Self.head + [UInt8(clamping: entries.count)] + entries.flatMap { $0.keyName + $0.sealed }
        try DatabaseFile.replace(path, with: bytes)
    }
}
