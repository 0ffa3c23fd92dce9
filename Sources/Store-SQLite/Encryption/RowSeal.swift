import Sealing
import TrackEngine

/// Seals what rows say, under keys that are derived from the store's, one for each kind of row.
///
/// A sealed value is: a mark (1 byte), the name of the key (4), a nonce (24), as many bytes as what was sealed, an authenticator
/// (16). It is bound to its kind by its key, and to its row's number and name: in another row's place it does not open.
final class RowSeal: Sendable {
    /// What a row says; numbers are for ever.
    enum Kind: UInt64, CaseIterable {
        case record = 1
        case letter, milestone, sources, damaged
    }

    /// The first byte of a sealed value. A record in plain begins with ``RecordCodec/version``.
    static let mark: UInt8 = 0xe5
    /// The mark and the name of the key.
    static let headLength = 5
    /// How much longer than what it holds a sealed value is, in bytes.
    static let overhead = headLength + PayloadSeal.overhead

    /// Tells keys apart. It does not tell anything about the key.
    let keyName: UInt32
    /// What the database holds to know its key again.
    let check: [UInt8]
    private let seals: [PayloadSeal]

    private static let purposes: StaticString = "TrkStore"
    private static let checkNumber: UInt64 = 1_000

    init(_ key: StoreKey) throws(StoreError) {
        do throws(SealingError) {
            var seals: [PayloadSeal] = []
            for kind in Kind.allCases {
                let derived = try DerivedKey.derive(from: key.bytes, number: kind.rawValue, purposes: Self.purposes)
                seals.append(try PayloadSeal(key: derived))
            }
            self.seals = seals
            let own = try DerivedKey.derive(from: key.bytes, number: Self.checkNumber, purposes: Self.purposes)
            check = Array(own[..<16])
            keyName = own[16..<20].reduce(0) { $0 << 8 | UInt32($1) }
        } catch { throw StoreError(.inputOutput, "the store cannot be encrypted: \(error)") }
    }

    private func seal(for kind: Kind) -> PayloadSeal { seals[Int(kind.rawValue) - 1] }

    private static func context(_ number: Int64, _ name: String) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) } + Array(name.utf8)
    }

    /// Seals a value for one row.
    func seal(_ bytes: [UInt8], as kind: Kind, number: Int64, name: String = "") throws(StoreError) -> [UInt8] {
        do throws(SealingError) {
            let head = [Self.mark] + withUnsafeBytes(of: keyName.littleEndian) { Array($0) }
            return head + (try seal(for: kind).seal(bytes, boundTo: Self.context(number, name)))
        } catch { throw StoreError(.inputOutput, "the store cannot be encrypted: \(error)") }
    }

    /// What was sealed for a row; `nil` for bytes of another key or another row, and for changed ones.
    func open(_ sealed: [UInt8], as kind: Kind, number: Int64, name: String = "") -> [UInt8]? {
        guard Self.keyName(of: sealed) == keyName else { return nil }
        // Why it does not open cannot be told: it was sealed for something else, or is not what was sealed.
        return try? seal(for: kind).open(Array(sealed[Self.headLength...]), boundTo: Self.context(number, name))
    }

    /// The name of the key that a value was sealed under; `nil` for one that is not sealed.
    static func keyName(of value: some Collection<UInt8>) -> UInt32? {
        guard value.count >= overhead, value.first == mark else { return nil }
        return value.dropFirst().prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}

// MARK: - Where rows are written

extension RowSeal {
    /// Begins a sealed value: what is written from now on is in it until ``end(_:from:bound:)``.
    ///
    /// - Parameter nonce: ``/Sealing/PayloadSeal/nonceLength`` bytes of chance.
    func begin(_ writer: inout ByteWriter, nonce: UnsafeRawBufferPointer) {
        writer.write(Self.mark)
        writer.write(keyName)
        writer.write(nonce)
    }

    /// Seals a record's value where it lies.
    ///
    /// - Parameters:
    ///   - start: where the value began.
    ///   - number: where the row's number stands, in eight bytes.
    func endRecord(_ writer: inout ByteWriter, from start: Int, number: Int) {
        let (memory, context) = writer.closeSealed(from: start + Self.headLength, context: number..<number + 8)
        seal(for: .record).sealInPlace(memory, boundTo: context)
    }
}
