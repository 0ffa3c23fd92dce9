internal import TrackEngine

/// The open brackets of a JSON text, and the conclusions from the previous byte about the next one.
struct JSONTextState {
    /// For the innermost 64 brackets, whether each one belongs to an array; the innermost is the lowest bit.
    private var arrays: UInt64 = 0
    /// The number of open brackets.
    private(set) var depth = 0
    /// The latest byte that is not white space and not in a string; a quote for a string.
    private var previous: UInt8 = 0
    /// The latest string directly in an object that may be an envelope, up to the length of the longest known name, and
    /// the one before it.
    private var name: [UInt8] = []
    private var previousName: [UInt8] = []
    /// The number of these strings in a separate object.
    private var nameCount = 0

    /// Records a byte outside of strings, or the opening quote of a string.
    @inline(__always)
    mutating func pass(_ byte: UInt8) {
        if !byte.isWhiteSpace { previous = byte }
    }

    /// Whether a value is allowed here. Deeper than 64 brackets this is unknown, and no value is allowed.
    var expectsValue: Bool {
        guard depth <= 64 else { return false }
        switch previous {
        case UInt8(ascii: ":"), UInt8(ascii: "["): return true
        case UInt8(ascii: ","): return isInArray
        default: return false
        }
    }

    /// Begins a string directly in an object that may be an envelope.
    mutating func beginName() {
        nameCount += 1
        swap(&name, &previousName)
        name.removeAll(keepingCapacity: true)
    }

    /// Appends a byte to the string.
    @inline(__always)
    mutating func appendToName(_ byte: UInt8) {
        if name.count < 17 { name.append(byte) }
    }

    /// The lists of elements in an envelope: GeoJSON's, Overland's and Google's.
    private static let lists = NameTable<Bool>([
        "features": true, "locations": true, "semanticSegments": true, "rawSignals": true, "timelineObjects": true,
    ])

    /// Whether an array here has the elements of an envelope. `data` is a common name: it has them only where an object
    /// begins with `count` and `data`, as the replies of OwnTracks Recorder, and is not in an element of a list.
    func namesList(isElement: Bool) -> Bool {
        if Self.lists[name.span] != nil { return true }
        return !isElement && nameCount == 2 && name.span.equals("data") && previousName.span.equals("count")
    }

    /// Whether the innermost bracket belongs to an array.
    var isInArray: Bool { arrays & 1 == 1 }

    /// Opens a bracket.
    mutating func open(isArray: Bool) {
        if depth == 0 { nameCount = 0 }
        arrays = arrays << 1 | (isArray ? 1 : 0)
        depth += 1
    }

    /// Closes the innermost bracket.
    mutating func close() {
        arrays >>= 1
        depth -= 1
    }
}
