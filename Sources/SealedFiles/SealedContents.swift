import Sealing
import TrackEngine
import TrackEngineSettings

/// The bytes of a sealed file: what it holds under a key of its own, and that key under the store's, or under two of them while the
/// store's is changed. Who has one of them can write the file without knowing the other.
///
/// `TEPF`, a version (1 byte), how many keys (1), for each the file's own key sealed under it (72), and what the file holds, sealed.
/// Both are bound to the file's name.
struct SealedContents {
    private let keys: [[UInt8]]
    private let body: [UInt8]

    private static let head = Array("TEPF".utf8) + [1]
    private static let mostKeys = 8
    private static let keyLength = PayloadSeal.keyLength + PayloadSeal.overhead
    private static let purposes: StaticString = "TrkFiles"

    /// How long a file may be that holds some bytes.
    static func length(of limit: Int) -> Int { head.count + 1 + mostKeys * keyLength + limit + PayloadSeal.overhead }

    /// Whether bytes begin as those of a sealed file do; a document in plain does not.
    static func isMarked(_ bytes: [UInt8]) -> Bool { bytes.starts(with: head.dropLast()) }

    private init(keys: [[UInt8]], body: [UInt8]) { (self.keys, self.body) = (keys, body) }

    /// What some bytes come to under one key, with a new key of the file's own.
    init(_ bytes: [UInt8], _ name: String, _ key: StoreKey) throws(PrivateFileError) {
        self = try Self.sealing(name) { () throws(SealingError) in
            let own = try PayloadSeal.makeKey()
            return SealedContents(
                keys: [try Self.seal(key).seal(own, boundTo: Self.context("key", name))],
                body: try PayloadSeal(key: own).seal(bytes, boundTo: Self.context("file", name)))
        }
    }

    /// Reads a sealed file; `nil` for one in plain.
    ///
    /// - Throws: for one that begins as a sealed file and goes on otherwise.
    init?(_ bytes: [UInt8], _ path: String) throws(PrivateFileError) {
        guard Self.isMarked(bytes) else { return nil }
        let start = Self.head.count + 1
        guard bytes.starts(with: Self.head), bytes.count > Self.head.count,
            case let count = Int(bytes[Self.head.count]), (1...Self.mostKeys).contains(count),
            bytes.count >= start + count * Self.keyLength + PayloadSeal.overhead
        else { throw PrivateFileError("\(path): expected an encrypted file that is whole; this one is damaged") }
        let end = start + count * Self.keyLength
        keys = stride(from: start, to: end, by: Self.keyLength).map { Array(bytes[$0..<$0 + Self.keyLength]) }
        body = Array(bytes[end...])
    }

    /// How many keys open it.
    var count: Int { keys.count }

    /// The file's bytes.
    var bytes: [UInt8] { Self.head + [UInt8(clamping: keys.count)] + keys.flatMap { $0 } + body }

    /// What it holds; `nil` with another key, in another file's place, or where it was changed.
    func open(_ name: String, _ key: StoreKey) -> [UInt8]? {
        guard let own = ownKey(name, key) else { return nil }
        // Why it does not open cannot be told.
        return try? PayloadSeal(key: own).open(body, boundTo: Self.context("file", name))
    }

    /// The same file with one more key that opens it; `nil` where this one does not, or where there are too many already.
    func admitting(_ next: StoreKey, beside key: StoreKey, _ name: String) throws(PrivateFileError) -> SealedContents? {
        guard let own = ownKey(name, key), keys.count < Self.mostKeys else { return nil }
        return try Self.sealing(name) { () throws(SealingError) in
            SealedContents(
                keys: keys + [try Self.seal(next).seal(own, boundTo: Self.context("key", name))], body: body)
        }
    }

    /// A file that holds something else and opens with the same keys; `nil` where this one does not open it.
    func holding(_ bytes: [UInt8], _ name: String, _ key: StoreKey) throws(PrivateFileError) -> SealedContents? {
        guard let own = ownKey(name, key) else { return nil }
        return try Self.sealing(name) { () throws(SealingError) in
            SealedContents(
                keys: keys, body: try PayloadSeal(key: own).seal(bytes, boundTo: Self.context("file", name)))
        }
    }

    private func ownKey(_ name: String, _ key: StoreKey) -> [UInt8]? {
        for sealed in keys {
            // Why it does not open cannot be told.
            if let own = try? Self.seal(key).open(sealed, boundTo: Self.context("key", name)) { return own }
        }
        return nil
    }

    private static func seal(_ key: StoreKey) throws(SealingError) -> PayloadSeal {
        try PayloadSeal(key: try DerivedKey.derive(from: key.bytes, number: 1, purposes: purposes))
    }

    private static func context(_ what: String, _ name: String) -> [UInt8] {
        Array("track-engine \(what) \(name)".utf8)
    }

    private static func sealing(
        _ name: String, _ body: () throws(SealingError) -> SealedContents
    ) throws(PrivateFileError) -> SealedContents {
        do throws(SealingError) { return try body() } catch {
            throw PrivateFileError("\(name): the file cannot be encrypted: \(error)")
        }
    }
}
