internal import TrackEngine

/// Iterates over the fields of one CSV record (RFC 4180), which may be quoted.
struct CSVFields {
    /// The range of a field without its quotes.
    struct Field {
        let range: Range<Int>
        /// Whether it contains doubled quotes, each of which represents a single one.
        let hasDoubledQuotes: Bool
    }

    private let separator: UInt8
    private var offset = 0
    private var isDone = false

    init(separator: UInt8) {
        self.separator = separator
    }

    /// The next field; `nil` after the last one.
    @inline(__always)
    mutating func next(in record: Span<UInt8>) -> Field? {
        guard !isDone else { return nil }
        if offset < record.count, record[offset] == CSVLineState.quote, let field = quoted(record) { return field }
        let start = offset
        while offset < record.count, record[offset] != separator { offset += 1 }
        let field = Field(range: start..<offset, hasDoubledQuotes: false)
        step(over: record)
        return field
    }

    /// A quoted field; `nil` if its quote is never closed and is therefore an ordinary character.
    private mutating func quoted(_ record: Span<UInt8>) -> Field? {
        let start = offset + 1
        var hasDoubledQuotes = false
        var end = start
        while end < record.count {
            if record[end] == CSVLineState.quote {
                guard end + 1 < record.count, record[end + 1] == CSVLineState.quote else { break }
                hasDoubledQuotes = true
                end += 1
            }
            end += 1
        }
        guard end < record.count else { return nil }
        offset = end
        while offset < record.count, record[offset] != separator { offset += 1 }
        step(over: record)
        return Field(range: start..<end, hasDoubledQuotes: hasDoubledQuotes)
    }

    /// Moves past the separator. A record that ends with one has an empty last field.
    @inline(__always)
    private mutating func step(over record: Span<UInt8>) {
        if offset < record.count { offset += 1 } else { isDone = true }
    }

    /// A field's text without surrounding white space, and with single instead of doubled quotes.
    static func text(of field: Field, in record: Span<UInt8>) -> [UInt8] {
        let inner = record.extracting(field.range)
        let text = inner.copied(inner.trimmedRange)
        guard field.hasDoubledQuotes else { return text }
        var result: [UInt8] = []
        var isSecond = false
        for byte in text {
            isSecond = byte == UInt8(ascii: "\"") && !isSecond
            if !isSecond { result.append(byte) }
        }
        return result
    }
}
