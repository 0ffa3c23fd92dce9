internal import TrackEngine

/// The text of a document that arrives in pieces, as UTF-8 without a byte order mark.
///
/// The mark determines the encoding: UTF-8, also without a mark, or UTF-16 of either byte order, which is converted.
/// A document in UTF-8 is not copied. Invalid characters become U+FFFD.
package struct DocumentText: Sendable {
    /// The encoding, as far as the beginning of the document shows it.
    private enum Encoding {
        /// Still unknown: these bytes, at most two, may be a mark.
        case unknown([UInt8])
        case utf8
        case utf16(UTF16Text)
    }

    /// The text of a piece.
    package enum Part {
        /// These bytes of the piece itself.
        case same(Range<Int>)
        /// Converted bytes.
        case converted([UInt8])
    }

    private var encoding = Encoding.unknown([])

    /// A decoder at the beginning of a document.
    package init() {}

    /// The text of the next piece.
    package mutating func next(_ piece: Span<UInt8>) -> Part {
        switch encoding {
        case .utf8: return .same(0..<piece.count)
        case .utf16(var text):
            let bytes = text.converted(piece)
            encoding = .utf16(text)
            return .converted(bytes)
        case .unknown(let held):
            guard held.count + piece.count >= 3 else {
                encoding = .unknown(held + piece.copied(0..<piece.count))
                return .same(0..<0)
            }
            return held.isEmpty ? begin(piece) : .converted(bytes(of: held + piece.copied(0..<piece.count)))
        }
    }

    /// The bytes that were held at the end of the document; empty on a repeated call.
    package mutating func finish() -> [UInt8] {
        defer { encoding = .utf8 }
        switch encoding {
        case .unknown(let held): return bytes(of: held)
        case .utf8: return []
        case .utf16(let text): return text.rest
        }
    }

    /// The text of a document, or of its beginning, that is there at once.
    package mutating func all(of document: Span<UInt8>) -> [UInt8] {
        switch next(document) {
        case .same(let range): document.copied(range) + finish()
        case .converted(let bytes): bytes + finish()
        }
    }

    private mutating func bytes(of beginning: [UInt8]) -> [UInt8] {
        switch begin(beginning.span) {
        case .same(let range): Array(beginning[range])
        case .converted(let bytes): bytes
        }
    }

    /// Determines the encoding from the first bytes: three, or all if there are fewer.
    private mutating func begin(_ piece: Span<UInt8>) -> Part {
        let first = piece.copied(0..<min(3, piece.count))
        if first.starts(with: [0xff, 0xfe]) || first.starts(with: [0xfe, 0xff]) {
            encoding = .utf16(UTF16Text(isBigEndian: first[0] == 0xfe))
            return next(piece.extracting(2..<piece.count))
        }
        encoding = .utf8
        return .same((first == [0xef, 0xbb, 0xbf] ? 3 : 0)..<piece.count)
    }
}

/// Converts UTF-16 in pieces to UTF-8, which has at most one and a half times as many bytes.
private struct UTF16Text {
    private let isBigEndian: Bool
    /// The first byte of a unit, before the second one has arrived.
    private var half: UInt8?
    /// The first unit of a surrogate pair, before the second one has arrived.
    private var lead: UInt16?

    init(isBigEndian: Bool) {
        self.isBigEndian = isBigEndian
    }

    /// The characters that this piece completes.
    mutating func converted(_ piece: Span<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(piece.count / 2 + 4)
        for index in 0..<piece.count {
            guard let first = half else {
                half = piece[index]
                continue
            }
            half = nil
            let (high, low) = isBigEndian ? (first, piece[index]) : (piece[index], first)
            append(UInt16(high) << 8 | UInt16(low), to: &text)
        }
        return text
    }

    /// The replacement for a character that the end of the document cuts.
    var rest: [UInt8] { half == nil && lead == nil ? [] : Array("\u{fffd}".utf8) }

    private mutating func append(_ unit: UInt16, to text: inout [UInt8]) {
        if let first = lead {
            lead = nil
            if UTF16.isTrailSurrogate(unit) {
                let code = 0x1_0000 + (UInt32(first & 0x3ff) << 10 | UInt32(unit & 0x3ff))
                return append(Unicode.Scalar(code), to: &text)
            }
            append(nil, to: &text)
        }
        if UTF16.isLeadSurrogate(unit) {
            lead = unit
        } else {
            append(Unicode.Scalar(unit), to: &text)
        }
    }

    /// Appends a character, or the replacement character for `nil`.
    private func append(_ scalar: Unicode.Scalar?, to text: inout [UInt8]) {
        text.append(contentsOf: Character(scalar ?? "\u{fffd}").utf8)
    }
}
