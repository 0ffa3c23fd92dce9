/// The ways in which a connection may cut its bytes.
enum Chunks {
    /// The bytes in pieces of this length; the last may be shorter.
    static func of(_ bytes: [UInt8], length: Int) -> [[UInt8]] {
        stride(from: 0, to: bytes.count, by: max(1, length)).map { start in
            Array(bytes[start..<min(bytes.count, start + max(1, length))])
        }
    }
}
