internal import TrackEngine

/// Tracks the quotes of one CSV record over its lines (RFC 4180 section 2, rules 5 to 7).
///
/// A quote at the beginning of a field opens it, and the next one that is not doubled closes it. In a field that
/// begins otherwise, a quote is an ordinary character.
struct CSVLineState {
    private enum Place {
        /// At the beginning of a field.
        case start
        /// In a field without quotes.
        case plain
        /// In a quoted field, which may continue in the next line.
        case quoted
        /// After a quote in a quoted field: another quote belongs to the text, any other byte follows the field.
        case quote
        /// After a quoted field, where white space and a separator are allowed.
        case closed
    }

    static let quote = UInt8(ascii: "\"")

    private let separator: UInt8
    private var place = Place.start
    /// The number of fields so far.
    private(set) var fieldCount = 1
    /// Whether text follows a quoted field, which writers that double their quotes never produce.
    private(set) var hasTextBehindField = false

    /// At the start of a record with this separator.
    init(separator: UInt8) {
        self.separator = separator
    }

    /// Whether a quoted field continues in the next line.
    var isOpen: Bool {
        switch place {
        case .quoted: true
        case .start, .plain, .quote, .closed: false
        }
    }

    /// Processes the next line of the record, without its end.
    mutating func scan(_ line: Span<UInt8>) {
        for index in 0..<line.count { take(line[index]) }
    }

    private mutating func take(_ byte: UInt8) {
        switch place {
        case .quoted:
            if byte == Self.quote { place = .quote }
        case .start where byte == Self.quote, .quote where byte == Self.quote:
            place = .quoted
        case .start, .plain, .quote, .closed:
            outside(byte)
        }
    }

    private mutating func outside(_ byte: UInt8) {
        if byte == separator {
            fieldCount += 1
            place = .start
            return
        }
        switch place {
        case .start, .plain: place = .plain
        case .quoted, .quote, .closed:
            if !byte.isWhiteSpace { hasTextBehindField = true }
            place = .closed
        }
    }
}
