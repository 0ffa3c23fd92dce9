/// Finds the end of data of unknown length: checksum and sizes follow it, behind a mark or without, and the compressed
/// size is the length of the data.
struct DescriptorSearch {
    private static let mark: UInt64 = 0x0807_4b50

    /// The number of bytes so far.
    private var count = 0
    /// The last eight of them, and the four before.
    private var (last, before): (UInt64, UInt64) = (0, 0)
    /// The bytes of the size that is left to skip, once the end is found.
    private var left: Int?

    var isAtEnd: Bool { left == 0 }

    /// Skips bytes up to the end; returns their number.
    mutating func skip(_ input: UnsafeRawBufferPointer) -> Int {
        for (index, byte) in input.enumerated() {
            if let left {
                if left == 0 { return index }
                self.left = left - 1
                continue
            }
            before = before >> 8 | (last & 0xff) << 24
            last = last >> 8 | UInt64(byte) << 56
            count += 1
            let size = Int(last >> 32)
            let isBare = size > 0 && size == count - 8
            let isMarked = size == count - 12 && before == Self.mark
            if isBare || isMarked { left = 4 }
        }
        return input.count
    }
}
