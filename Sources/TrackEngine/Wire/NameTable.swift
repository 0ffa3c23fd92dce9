/// Finds what a name in the input means, without making a string of it.
///
/// A small open hash table: the hash looks at the length and three bytes, the comparison at all of them. All names lie in
/// one array and slots are plain values, so that a lookup counts no references.
@usableFromInline
package struct NameTable<Meaning: Sendable & BitwiseCopyable>: Sendable {
    @usableFromInline
    struct Slot: Sendable, BitwiseCopyable {
        @usableFromInline let start: Int32
        @usableFromInline let length: Int32
        @usableFromInline let meaning: Meaning
    }

    @usableFromInline var bytes: [UInt8]
    @usableFromInline var slots: [Slot?]
    @usableFromInline let mask: Int

    /// A table of names; each occurs once.
    package init(_ names: KeyValuePairs<StaticString, Meaning>) {
        var size = 16
        while size < names.count * 4 { size *= 2 }
        mask = size - 1
        bytes = []
        slots = Array(repeating: nil, count: size)
        for (name, meaning) in names {
            let text = name.withUTF8Buffer { Array($0) }
            var index = Self.hash(text.span) & mask
            while slots[index] != nil { index = (index + 1) & mask }
            slots[index] = Slot(start: Int32(bytes.count), length: Int32(text.count), meaning: meaning)
            bytes += text
        }
    }

    /// What a name means; `nil` for a name that is not in the table.
    @inlinable
    @inline(__always)
    package subscript(name: Span<UInt8>) -> Meaning? {
        guard name.count > 0 else { return nil }
        var index = Self.hash(name) & mask
        while let slot = slots[index] {
            if isName(slot, name) { return slot.meaning }
            index = (index + 1) & mask
        }
        return nil
    }

    @inlinable
    @inline(__always)
    static func hash(_ name: Span<UInt8>) -> Int {
        let length = name.count
        guard length > 0 else { return 0 }
        return length &* 7 &+ Int(name[0]) &* 5 &+ Int(name[length - 1]) &* 3 &+ Int(name[length / 2]) &* 17
    }

    @inlinable
    @inline(__always)
    func isName(_ slot: Slot, _ name: Span<UInt8>) -> Bool {
        guard Int(slot.length) == name.count else { return false }
        let start = Int(slot.start)
        for index in 0..<name.count where bytes[start + index] != name[index] { return false }
        return true
    }
}
