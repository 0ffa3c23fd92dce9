internal import TrackEngine

/// The brackets that are open in a JSON text, and what the byte before says about the next one.
struct JSONBrackets {
    /// Of the innermost 64 brackets, whether each is one of an array; the innermost is the lowest bit.
    private var arrays: UInt64 = 0
    /// How many are open.
    private(set) var depth = 0
    /// The latest byte that is no white space and in no string; a quote for a string.
    private var previous: UInt8 = 0

    /// Notes a byte outside of strings, or the quote that begins one.
    @inline(__always)
    mutating func pass(_ byte: UInt8) {
        if !byte.isWhiteSpace { previous = byte }
    }

    /// Whether a value can stand here. Below 64 brackets nothing is known, and none can.
    var expectsValue: Bool {
        guard depth <= 64 else { return false }
        switch previous {
        case UInt8(ascii: ":"), UInt8(ascii: "["): return true
        case UInt8(ascii: ","): return isInArray
        default: return false
        }
    }

    /// Whether the innermost bracket is one of an array.
    var isInArray: Bool { arrays & 1 == 1 }

    /// Opens a bracket.
    mutating func open(isArray: Bool) {
        arrays = arrays << 1 | (isArray ? 1 : 0)
        depth += 1
    }

    /// Closes the innermost bracket.
    mutating func close() {
        arrays >>= 1
        depth -= 1
    }
}
