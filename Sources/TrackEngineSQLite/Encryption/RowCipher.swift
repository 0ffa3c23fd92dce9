import Encryption
import TrackEngine

/// Encrypts the contents of rows, under keys that are derived from the store's key, one for each kind of row.
///
/// An encrypted value is: a mark (1 byte), the name of the key (4), a nonce (24), as many bytes as the plain value, an
/// authenticator (16). It is bound to its kind by its key, and to its row's number and name: it cannot be decrypted in
/// another row.
final class RowCipher: Sendable {
    /// The kind of a row's contents. The numbers must never change.
    enum Kind: UInt64, CaseIterable {
        case record = 1
        case letter, milestone, sources, damaged
    }

    /// The first byte of an encrypted value. An unencrypted record begins with ``RecordCodec/version``.
    static let mark: UInt8 = 0xe5
    /// The length of the mark and the name of the key.
    static let headLength = 5
    /// The difference in length between an encrypted value and its contents, in bytes.
    static let overhead = headLength + ContentCipher.overhead

    /// A short name to distinguish keys. It reveals no information about the key.
    let keyName: UInt32
    /// The value by which the database recognises its key.
    let check: [UInt8]
    private let seals: [ContentCipher]

    private static let purposes: StaticString = "TrkStore"
    private static let checkNumber: UInt64 = 1_000

    init(_ key: StoreKey) throws(StoreError) {
        do throws(EncryptionError) {
            var seals: [ContentCipher] = []
            for kind in Kind.allCases {
                let derived = try DerivedKey.derive(from: key.bytes, number: kind.rawValue, purposes: Self.purposes)
                seals.append(try ContentCipher(key: derived))
            }
            self.seals = seals
            let own = try DerivedKey.derive(from: key.bytes, number: Self.checkNumber, purposes: Self.purposes)
            check = Array(own[..<16])
            keyName = own[16..<20].reduce(0) { $0 << 8 | UInt32($1) }
        } catch { throw StoreError(.inputOutput, "the store cannot be encrypted: \(error)") }
    }

    private func seal(for kind: Kind) -> ContentCipher { seals[Int(kind.rawValue) - 1] }

    private static func context(_ number: Int64, _ name: String) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) } + Array(name.utf8)
    }

    /// Encrypts a value for one row.
    func seal(_ bytes: [UInt8], as kind: Kind, number: Int64, name: String = "") throws(StoreError) -> [UInt8] {
        do throws(EncryptionError) {
            let head = [Self.mark] + withUnsafeBytes(of: keyName.littleEndian) { Array($0) }
            return head + (try seal(for: kind).seal(bytes, boundTo: Self.context(number, name)))
        } catch { throw StoreError(.inputOutput, "the store cannot be encrypted: \(error)") }
    }

    /// Decrypts a row's value; `nil` for a value of another key or another row, and for a changed one.
    func open(_ sealed: [UInt8], as kind: Kind, number: Int64, name: String = "") -> [UInt8]? {
        guard Self.keyName(of: sealed) == keyName else { return nil }
        // The reason for a failure is not known: the value belongs to another row, or was changed.
        return try? seal(for: kind).open(Array(sealed[Self.headLength...]), boundTo: Self.context(number, name))
    }

    /// The name of the key that encrypted a value; `nil` for an unencrypted value.
    static func keyName(of value: some Collection<UInt8>) -> UInt32? {
        guard value.count >= overhead, value.first == mark else { return nil }
        return value.dropFirst().prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}

// MARK: - Encrypting rows while they are written

extension RowCipher {
    /// Begins an encrypted value: all bytes written from now on belong to it, up to ``endRecord(_:from:number:)``.
    ///
    /// - Parameter nonce: ``/Encryption/ContentCipher/nonceLength`` random bytes.
    func begin(_ writer: inout ByteWriter, nonce: UnsafeRawBufferPointer) {
        writer.write(Self.mark)
        writer.write(keyName)
        writer.write(nonce)
    }

    /// Encrypts a record's value in place.
    ///
    /// - Parameters:
    ///   - start: the offset at which the value begins.
    ///   - number: the offset of the row's number, which has eight bytes.
    func endRecord(_ writer: inout ByteWriter, from start: Int, number: Int) {
        let (memory, context) = writer.closeSealed(from: start + Self.headLength, context: number..<number + 8)
        seal(for: .record).sealInPlace(memory, boundTo: context)
    }
}
