import SQLiteAccess
import Sealing
import TrackEngine

/// The file `key.sealed` beside an encrypted history: the history's own key, sealed under the store's.
///
/// So that the store's key can be changed without writing a history anew, the file may hold it under two keys while that is
/// done. Without this file nobody can read the history.
///
/// `TEHK`, a version (1 byte), how many (1), and of each the name of the key that it is sealed under (4) and what is sealed (72).
struct HistoryKeyFile: Sendable, Hashable {
    /// The history's key, sealed.
    private struct Entry: Sendable, Hashable {
        let keyName: [UInt8]
        let sealed: [UInt8]
    }

    private var entries: [Entry]
    /// Whether the bytes around the keys are as they were written.
    private let hasSoundHead: Bool

    private static let head = Array("TEHK".utf8) + [1]
    private static let context = Array("track-engine history key".utf8)
    private static let purposes: StaticString = "TrkHKeyF"
    private static let nameLength = 4
    private static let entryLength = nameLength + PayloadSeal.keyLength + PayloadSeal.overhead

    /// A file that holds a history's key under one of the store's.
    init(_ key: [UInt8], under outer: StoreKey) throws(StoreError) {
        entries = [try Self.seal(key, under: outer)]
        hasSoundHead = true
    }

    /// How many keys open it.
    var count: Int { entries.count }

    /// The history's key; `nil` where it is not sealed under this one.
    func key(openedBy outer: StoreKey) throws(StoreError) -> [UInt8]? {
        let (_, seal) = try Self.seal(of: outer)
        for entry in entries {
            // What opens is the key, whatever else of the file is damaged. Why it does not open cannot be told.
            if let key = try? seal.open(entry.sealed, boundTo: Self.context) { return key }
        }
        return nil
    }

    /// Whether the file is damaged as far as a key of the store's can tell: its head is, or it says that the key opens it, and
    /// that is not so, or it opens though it does not say so.
    func isDamaged(for outer: StoreKey) throws(StoreError) -> Bool {
        let (name, seal) = try Self.seal(of: outer)
        return !hasSoundHead
            || entries.contains { entry in
                // Whether it opens is all that is asked.
                ((try? seal.open(entry.sealed, boundTo: Self.context)) != nil) != (entry.keyName == name)
            }
    }

    /// Lets one more key open it.
    mutating func add(_ key: [UInt8], under outer: StoreKey) throws(StoreError) {
        guard try self.key(openedBy: outer) == nil else { return }
        entries.append(try Self.seal(key, under: outer))
    }

    private static func seal(_ key: [UInt8], under outer: StoreKey) throws(StoreError) -> Entry {
        let (name, seal) = try seal(of: outer)
        do throws(SealingError) {
            return Entry(keyName: name, sealed: try seal.seal(key, boundTo: context))
        } catch { throw StoreError(.inputOutput, "the history's key cannot be encrypted: \(error)") }
    }

    private static func seal(of outer: StoreKey) throws(StoreError) -> (name: [UInt8], PayloadSeal) {
        do throws(SealingError) {
            let derived = try DerivedKey.derive(from: outer.bytes, number: 1, purposes: purposes)
            let name = try DerivedKey.derive(from: outer.bytes, number: 2, purposes: purposes)
            return (Array(name[..<nameLength]), try PayloadSeal(key: derived))
        } catch { throw StoreError(.inputOutput, "the history's key cannot be encrypted: \(error)") }
    }
}

// MARK: - On the disk

extension HistoryKeyFile {
    private static let longest = head.count + 1 + 255 * entryLength

    /// Reads the file; `nil` where there is none.
    ///
    /// - Throws: ``StoreError/Code/damaged`` for anything else than what ``write(to:)`` writes.
    static func read(_ path: String) throws(StoreError) -> HistoryKeyFile? {
        guard PosixFile.status(of: path) != nil else { return nil }
        try PosixFile.requireRegular(path)
        guard let file = HistoryKeyFile(PosixFile.head(of: path, count: longest)) else {
            throw StoreError(.damaged, "\(path): expected the sealed key of a history; restore it from a copy")
        }
        return file
    }

    /// Reads what has the length of such a file; its head may be damaged, the keys in it tell by themselves whether they are.
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
        try PosixFile.replace(path, with: bytes)
    }
}
