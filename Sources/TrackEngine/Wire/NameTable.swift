/// Finds the meaning of a name in the input, without creating a string of it.
///
/// A small open hash table. The first eight bytes of a name are its key, one word that is compared at once and hashed
/// to the slot (D. E. Knuth, "The Art of Computer Programming", volume 3, section 6.4: Fibonacci hashing); few names
/// are longer. Slots are plain values, so that a lookup counts no references.
@usableFromInline
package struct NameTable<Meaning: Sendable & BitwiseCopyable>: Sendable {
    @usableFromInline
    struct Entry: Sendable, BitwiseCopyable {
        @usableFromInline let key: UInt64
        @usableFromInline let length: Int32
        /// The position in `rests` of the bytes after the key.
        @usableFromInline let rest: Int32
        @usableFromInline let meaning: Meaning
    }

    @usableFromInline var slots: [Entry?]
    @usableFromInline var rests: [UInt8]
    @usableFromInline let mask: Int

    /// Creates a table of names; each occurs once.
    package init(_ names: KeyValuePairs<StaticString, Meaning>) {
        var size = 16
        while size < names.count * 4 { size *= 2 }
        mask = size - 1
        rests = []
        slots = Array(repeating: nil, count: size)
        for (name, meaning) in names {
            let text = name.withUTF8Buffer { Array($0) }
            let key = text.span.key(of: 0..<text.count)
            var index = Self.place(of: key) & mask
            while slots[index] != nil { index = (index + 1) & mask }
            slots[index] = Entry(key: key, length: Int32(text.count), rest: Int32(rests.count), meaning: meaning)
            rests += text.dropFirst(8)
        }
    }

    /// The meaning of a name; `nil` for a name that is not in the table.
    @inlinable
    @inline(__always)
    package subscript(name: Span<UInt8>) -> Meaning? { self[name, 0..<name.count] }

    /// The meaning of the name in a range of bytes; `nil` for a name that is not in the table.
    @inlinable
    @inline(__always)
    package subscript(bytes: Span<UInt8>, name: Range<Int>) -> Meaning? {
        let key = bytes.key(of: name)
        var index = Self.place(of: key) & mask
        while let slot = slots[index] {
            if slot.key == key, Int(slot.length) == name.count, name.count <= 8 || hasRest(slot, bytes, name) {
                return slot.meaning
            }
            index = (index &+ 1) & mask
        }
        return nil
    }

    @inlinable
    @inline(__always)
    static func place(of key: UInt64) -> Int {
        Int(truncatingIfNeeded: (key &* 0x9e37_79b9_7f4a_7c15) >> 48)
    }

    @usableFromInline
    @inline(never)
    func hasRest(_ slot: Entry, _ bytes: Span<UInt8>, _ name: Range<Int>) -> Bool {
        let rest = name.dropFirst(8)
        return rest.indices.allSatisfy { rests[Int(slot.rest) + $0 - rest.lowerBound] == bytes[$0] }
    }
}

extension Span<UInt8> {
    /// Returns the first eight bytes of a range as a word, the first one lowest, with zeros after a shorter range.
    @inlinable
    @inline(__always)
    func key(of part: Range<Int>) -> UInt64 {
        let length = part.count
        guard part.lowerBound <= count - 8 else { return keyAtEnd(of: part) }
        let word = UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: part.lowerBound, as: UInt64.self))
        return length < 8 ? word & ~(UInt64.max &<< UInt64(8 &* length)) : word
    }

    /// The same if fewer than eight bytes are left.
    @usableFromInline
    @inline(never)
    func keyAtEnd(of part: Range<Int>) -> UInt64 {
        part.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64(self[$1]) }
    }
}
