import Encryption
import TrackEngine

/// Seals the contents of a history's rows, under keys that are derived from the history's own, one for each kind of
/// row.
///
/// A sealed value is bound to its kind by its key and to its row by the row's key: in another row it does not open. A
/// value that must be found without being read has a keyed hash in addition.
final class HistoryCipher: Sendable {
    /// The kind of contents; numbers never change.
    enum Kind: UInt64, CaseIterable {
        case point = 1
        case device, source, chunk, drawing, file, event
    }

    /// The kind of value that is hashed; numbers never change.
    enum HashKind: UInt8 {
        case place = 1
        case senderID, device, source, event
    }

    /// The key that all other keys are derived from.
    let key: [UInt8]
    /// A name of the key in the database's header, by which another history's key is recognized. It reveals no part
    /// of the key.
    let keyName: UInt32
    /// The rows that were read and did not open.
    let unopened = UnreadableRowList()
    private let seals: [ContentCipher]
    private let hashes: KeyHash

    private static let purposes: StaticString = "TrkHisto"
    private static let hashNumber: UInt64 = 1_000
    private static let nameNumber: UInt64 = 1_001

    init(_ key: [UInt8]) throws(StoreError) {
        self.key = key
        do throws(EncryptionError) {
            var seals: [ContentCipher] = []
            for kind in Kind.allCases {
                let derived = try DerivedKey.derive(from: key, number: kind.rawValue, purposes: Self.purposes)
                seals.append(try ContentCipher(key: derived))
            }
            self.seals = seals
            hashes = try KeyHash(
                key: try DerivedKey.derive(from: key, number: Self.hashNumber, purposes: Self.purposes))
            let name = try DerivedKey.derive(from: key, number: Self.nameNumber, purposes: Self.purposes)
            keyName = name[..<4].reduce(0) { $0 << 8 | UInt32($1) }
        } catch { throw Self.failure(error) }
    }

    private static func failure(_ error: EncryptionError) -> StoreError {
        StoreError(.inputOutput, "the history cannot be encrypted: \(error)")
    }

    /// The cipher for rows of a kind.
    func seal(for kind: Kind) -> ContentCipher { seals[Int(kind.rawValue) - 1] }

    /// Seals a value for the row that some numbers identify.
    func seal(_ bytes: [UInt8], as kind: Kind, _ numbers: [Int64]) throws(StoreError) -> [UInt8] {
        do throws(EncryptionError) { return try seal(for: kind).seal(bytes, boundTo: Self.bytes(numbers)) } catch {
            throw Self.failure(error)
        }
    }

    /// Opens the contents of a row; `nil` for bytes of another key or another row, and for changed ones.
    func open(_ sealed: [UInt8], as kind: Kind, _ numbers: [Int64]) -> [UInt8]? {
        // The reason for a failure is unknown: the bytes were sealed for another row, or were changed.
        try? seal(for: kind).open(sealed, boundTo: Self.bytes(numbers))
    }

    /// Seals the contents of a file of a name.
    func seal(_ bytes: [UInt8], as kind: Kind, name: String) throws(StoreError) -> [UInt8] {
        do throws(EncryptionError) { return try seal(for: kind).seal(bytes, boundTo: Array(name.utf8)) } catch {
            throw Self.failure(error)
        }
    }

    /// Opens the contents of a file of a name; `nil` as for a row.
    func open(_ sealed: [UInt8], as kind: Kind, name: String) -> [UInt8]? {
        try? seal(for: kind).open(sealed, boundTo: Array(name.utf8))  // as for a row
    }

    /// The keyed hash by which a value is found, together with some numbers.
    func tag(_ tag: HashKind, _ numbers: Int64..., text: String = "") -> [UInt8] {
        hashes.hash([tag.rawValue] + Self.bytes(numbers) + text.utf8)
    }

    /// Writes the tag of bytes that begin with a ``HashKind``.
    func tag(_ bytes: UnsafeRawBufferPointer, into tag: UnsafeMutableRawBufferPointer) {
        hashes.hash(bytes, into: tag)
    }

    private static func bytes(_ numbers: [Int64]) -> [UInt8] {
        numbers.flatMap { withUnsafeBytes(of: $0.littleEndian) { Array($0) } }
    }
}
