import TrackEngine
import TrackEngineSettings

/// The bytes of a sealed file: the contents under a key of the file's own, and that key under the store's key. During
/// a change of the store's key, the file's key is there under both. A holder of one of them can write the file
/// without the other.
///
/// Layout: `TEPF`, a version (1 byte), the number of keys (1), for each of them the file's own key sealed under it
/// (72), and the sealed contents: the number of the change that wrote them (8, the most significant byte first) and
/// the bytes. In version 1 there is no number. Keys and contents are bound to the file's place.
struct EncryptedContent {
    /// The place to which contents are bound.
    struct Place {
        /// The file's name, to which files of version 1 are bound.
        let name: String
        /// The kind of files that it belongs to, or its directory's name, with its own name.
        let path: String
    }

    /// The contents of a file and the number of their change; 0 in version 1.
    typealias Opened = (bytes: [UInt8], number: UInt64)

    private let version: UInt8
    private let keys: [[UInt8]]
    private let body: [UInt8]

    private static let mark = Array("TEPF".utf8)
    private static let current: UInt8 = 2
    private static let mostKeys = 8
    private static let keyLength = ContentCipher.keyLength + ContentCipher.overhead
    private static let numberLength = 8
    private static let purposes: StaticString = "TrkFiles"

    /// The greatest length of a file with contents of at most `limit` bytes.
    static func length(of limit: Int) -> Int {
        mark.count + 2 + mostKeys * keyLength + numberLength + limit + ContentCipher.overhead
    }

    /// Whether bytes begin as those of a sealed file do; a document in plain does not.
    static func isMarked(_ bytes: [UInt8]) -> Bool { bytes.starts(with: mark) }

    private init(_ version: UInt8, keys: [[UInt8]], body: [UInt8]) {
        (self.version, self.keys, self.body) = (version, keys, body)
    }

    /// Seals contents under one key, with a new key of the file's own.
    init(_ opened: Opened, _ place: Place, _ key: StoreKey) throws(PrivateFileError) {
        self = try Self.sealing(place) { () throws(EncryptionError) in
            let own = try ContentCipher.makeKey()
            let sealed = try Self.seal(key).seal(own, boundTo: Self.context("key", place, Self.current))
            return EncryptedContent(
                Self.current, keys: [sealed], body: try Self.body(opened, own, place, Self.current))
        }
    }

    /// Reads a sealed file; `nil` for one in plain.
    ///
    /// - Throws: for one that begins as a sealed file and is none.
    init?(_ bytes: [UInt8], _ path: String) throws(PrivateFileError) {
        guard Self.isMarked(bytes) else { return nil }
        let start = Self.mark.count + 2
        guard bytes.count >= start, case let version = bytes[Self.mark.count], (1...Self.current).contains(version),
            case let count = Int(bytes[start - 1]), (1...Self.mostKeys).contains(count),
            bytes.count >= start + count * Self.keyLength + ContentCipher.overhead
        else { throw PrivateFileError("\(path): expected an encrypted file that is whole; this one is damaged") }
        let end = start + count * Self.keyLength
        self.version = version
        keys = stride(from: start, to: end, by: Self.keyLength).map { Array(bytes[$0..<$0 + Self.keyLength]) }
        body = Array(bytes[end...])
    }

    /// The number of keys that open it.
    var count: Int { keys.count }

    /// Whether it has the version that this release writes.
    var isCurrent: Bool { version == Self.current }

    /// The file's bytes.
    var bytes: [UInt8] { Self.mark + [version, UInt8(clamping: keys.count)] + keys.flatMap { $0 } + body }

    /// Returns the contents; `nil` with another key, in another file's place, or where they were changed.
    func open(_ place: Place, _ key: StoreKey) -> Opened? {
        // The reason why the file does not open is unknown.
        guard let own = ownKey(place, key),
            let opened = try? ContentCipher(key: own).open(body, boundTo: Self.context("file", place, version))
        else { return nil }
        guard version > 1 else { return (opened, 0) }
        guard opened.count >= Self.numberLength else { return nil }
        let number = opened.prefix(Self.numberLength).reduce(0) { $0 << 8 | UInt64($1) }
        return (Array(opened.dropFirst(Self.numberLength)), number)
    }

    /// The same file with one more key that opens it; `nil` where this one does not, or where there are too many
    /// already.
    func admitting(_ next: StoreKey, beside key: StoreKey, _ place: Place) throws(PrivateFileError) -> EncryptedContent?
    {
        guard let own = ownKey(place, key), keys.count < Self.mostKeys else { return nil }
        return try Self.sealing(place) { () throws(EncryptionError) in
            let sealed = try Self.seal(next).seal(own, boundTo: Self.context("key", place, version))
            return EncryptedContent(version, keys: keys + [sealed], body: body)
        }
    }

    /// Returns a file with other contents that opens with the same keys; `nil` where this key does not open it. A
    /// file of version 1 keeps its version: its keys are bound to it.
    func holding(_ opened: Opened, _ place: Place, _ key: StoreKey) throws(PrivateFileError) -> EncryptedContent? {
        guard let own = ownKey(place, key) else { return nil }
        return try Self.sealing(place) { () throws(EncryptionError) in
            EncryptedContent(version, keys: keys, body: try Self.body(opened, own, place, version))
        }
    }

    private func ownKey(_ place: Place, _ key: StoreKey) -> [UInt8]? {
        for sealed in keys {
            // The reason why a key does not open is unknown.
            if let own = try? Self.seal(key).open(sealed, boundTo: Self.context("key", place, version)) { return own }
        }
        return nil
    }

    private static func body(
        _ opened: Opened, _ own: [UInt8], _ place: Place, _ version: UInt8
    ) throws(EncryptionError) -> [UInt8] {
        let number = withUnsafeBytes(of: opened.number.bigEndian) { Array($0) }
        return try ContentCipher(key: own).seal(
            (version > 1 ? number : []) + opened.bytes, boundTo: context("file", place, version))
    }

    private static func seal(_ key: StoreKey) throws(EncryptionError) -> ContentCipher {
        try ContentCipher(key: try DerivedKey.derive(from: key.bytes, number: 1, purposes: purposes))
    }

    private static func context(_ what: String, _ place: Place, _ version: UInt8) -> [UInt8] {
        Array("track-engine \(what) \(version > 1 ? "\(version) \(place.path)" : place.name)".utf8)
    }

    private static func sealing(
        _ place: Place, _ body: () throws(EncryptionError) -> EncryptedContent
    ) throws(PrivateFileError) -> EncryptedContent {
        do throws(EncryptionError) { return try body() } catch {
            throw PrivateFileError("\(place.name): the file cannot be encrypted: \(error)")
        }
    }
}
