internal import Glibc

extension Span<UInt8> {
    /// Returns a copy of a range of bytes.
    package func copied(_ range: Range<Int>) -> [UInt8] {
        extracting(range).withUnsafeBufferPointer { Array($0) }
    }

    /// Returns a range of bytes as text; invalid UTF-8 is replaced. Only for messages and rare cases.
    package func text(in range: Range<Int>) -> String {
        extracting(range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the next offset of a byte, at or after `start`.
    package func offset(of byte: UInt8, from start: Int) -> Int? {
        withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress, start < buffer.count,
                let found = memchr(base + start, Int32(byte), buffer.count - start)
            else { return nil }
            return UnsafeRawPointer(found) - base
        }
    }

    /// Returns the offset, at or after `start`, of the first byte that cannot be written literally in a JSON string: a
    /// quote, a backslash or a control character; the end if there is none.
    ///
    /// Eight bytes are checked together (H. S. Warren, "Hacker's Delight", section 6-1): the lowest byte reported is
    /// one of them, higher ones may be wrong.
    @inlinable
    @inline(__always)
    package func endOfPlainText(from start: Int) -> Int {
        var position = start
        while position <= count - 8 {
            let word = UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self))
            let found =
                word.bytesBelow(0x20) | (word ^ 0x2222_2222_2222_2222).bytesBelow(1)
                | (word ^ 0x5c5c_5c5c_5c5c_5c5c).bytesBelow(1)
            if found != 0 { return position &+ found.trailingZeroBitCount / 8 }
            position &+= 8
        }
        while position < count {
            let byte = self[position]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
            position &+= 1
        }
        return position
    }

    /// Whether these are exactly the bytes of an ASCII word.
    package func equals(_ word: StaticString) -> Bool {
        guard count == word.utf8CodeUnitCount else { return false }
        return word.withUTF8Buffer { expected in
            for index in 0..<count where self[index] != expected[index] { return false }
            return true
        }
    }

    /// Whether a word occurs anywhere.
    package func contains(_ word: StaticString) -> Bool {
        let length = word.utf8CodeUnitCount
        guard length <= count else { return false }
        return (0...(count - length)).contains { extracting($0..<($0 + length)).equals(word) }
    }

    /// The range without white space at both ends.
    package var trimmedRange: Range<Int> {
        var start = 0
        var end = count
        while start < end, self[start].isWhiteSpace { start += 1 }
        while end > start, self[end - 1].isWhiteSpace { end -= 1 }
        return start..<end
    }
}

extension UInt64 {
    /// Returns the top bits of the bytes that are below a limit of at most 128; above the lowest of these, other bits
    /// may be set, too.
    @inlinable
    @inline(__always)
    func bytesBelow(_ limit: UInt64) -> UInt64 {
        (self &- limit &* 0x0101_0101_0101_0101) & ~self & 0x8080_8080_8080_8080
    }
}

extension UInt8 {
    /// Space, tab, line feed or carriage return.
    @inlinable
    @inline(__always)
    package var isWhiteSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0a || self == 0x0d }

    /// The value of a hexadecimal digit in either case.
    package var hexadecimalDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    /// The lower case of an ASCII letter; any other byte unchanged.
    package var lowercasedASCII: UInt8 {
        self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self
    }
}
