import Encryption
import TrackEngine

/// Seals and opens points one after the other, in memory that is reused: a large commit or a day's drawing has tens
/// of thousands of points.
///
/// A point's tag reveals its place only with the key: device, time and place are one point, as in a plain history.
/// The sealed contents are bound to device, time and tag.
final class PointCipher {
    private let seal: HistoryCipher
    private let points: ContentCipher
    private var writer = CompactWriter()
    /// Device, time and tag.
    private var context = [UInt8](repeating: 0, count: 16 + KeyHash.length)
    /// A ``HistoryCipher/HashKind``, device, time, latitude and longitude.
    private var tagged = [UInt8](repeating: 0, count: 1 + 4 * 8)
    /// Each request to the system for random bytes takes as long as sealing a point.
    private var nonces: [UInt8] = []
    private var nextNonce = 0
    private var opened: [UInt8] = []

    init(_ seal: HistoryCipher) {
        self.seal = seal
        points = seal.seal(for: .point)
        tagged[0] = HistoryCipher.HashKind.place.rawValue
    }

    /// Makes the tag of a point; the next sealed contents are bound to it.
    func name(_ row: PointRow, of device: Int64) {
        tagged.withUnsafeMutableBytes { bytes in
            bytes.storeBytes(of: device.littleEndian, toByteOffset: 1, as: Int64.self)
            bytes.storeBytes(of: row.time.littleEndian, toByteOffset: 9, as: Int64.self)
            bytes.storeBytes(of: Int64(row.place.latitude).littleEndian, toByteOffset: 17, as: Int64.self)
            bytes.storeBytes(of: Int64(row.place.longitude).littleEndian, toByteOffset: 25, as: Int64.self)
        }
        bind(device, row.time)
        context.withUnsafeMutableBytes { context in
            tagged.withUnsafeBytes { seal.tag($0, into: UnsafeMutableRawBufferPointer(rebasing: context[16...])) }
        }
    }

    private func bind(_ device: Int64, _ time: Int64) {
        context.withUnsafeMutableBytes { bytes in
            bytes.storeBytes(of: device.littleEndian, as: Int64.self)
            bytes.storeBytes(of: time.littleEndian, toByteOffset: 8, as: Int64.self)
        }
    }

    /// Hands over the tag that ``name(_:of:)`` made.
    func withTag<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try context.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[16...])) }
    }

    /// Seals the contents of a point, bound to the tag of ``name(_:of:)``.
    func withSealed<Result>(
        _ row: PointRow, source: Int64?, senderID: SenderID?, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        writer.removeAll()
        try appendNonce()
        EncryptedPoint.write(row, source: source, senderID: senderID, to: &writer)
        writer.append(repeatElement(0, count: ContentCipher.overhead - ContentCipher.nonceLength))
        return try writer.withUnsafeMutableBytes { memory in
            context.withUnsafeBytes { points.sealInPlace(memory, boundTo: $0) }
            return try body(UnsafeRawBufferPointer(memory))
        }
    }

    private func appendNonce() throws {
        if nextNonce == nonces.count {
            nonces = [UInt8](repeating: 0, count: 64 * ContentCipher.nonceLength)
            try nonces.withUnsafeMutableBytes { memory in
                do throws(EncryptionError) { try ContentCipher.fillWithNonces(memory) } catch {
                    throw StoreError(.inputOutput, "the history cannot be encrypted: \(error)")
                }
            }
            nextNonce = 0
        }
        let end = nextNonce + ContentCipher.nonceLength
        writer.append(nonces[nextNonce..<end])
        nextNonce = end
    }

    /// Opens the contents of a row; `nil` when they were sealed for another place, or changed.
    func open(
        _ contents: some Collection<UInt8>, tag: some Collection<UInt8>, of device: Int64, time: Int64
    ) -> StoredPoint? {
        guard contents.count >= ContentCipher.overhead, tag.count == KeyHash.length else { return nil }
        bind(device, time)
        context.replaceSubrange(16..., with: tag)
        opened.removeAll(keepingCapacity: true)
        opened.append(contentsOf: contents)
        let isOurs = opened.withUnsafeMutableBytes { memory in
            context.withUnsafeBytes { points.openInPlace(memory, boundTo: $0) }
        }
        guard isOurs else { return nil }
        let end = opened.count - (ContentCipher.overhead - ContentCipher.nonceLength)
        return EncryptedPoint.read(opened[ContentCipher.nonceLength..<end], time: time)
    }
}
