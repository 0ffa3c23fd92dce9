import TrackEngine

/// Divides a long request into equivalent portions, in order to hold only the points of one portion in memory.
///
/// A body in JSON becomes several of the same form: a part of the elements of its list, and the short members outside
/// of it. A body without a list of elements stays whole. The body is walked over twice, regardless of its contents.
package struct RequestSplitter {
    /// A body of at most so many bytes is not cut.
    package static let shortest = 1 << 17
    /// The most elements of a portion.
    static let elementCount = 2_000
    /// The bytes from which on no element is added to a portion.
    private static let longest = 1 << 20

    /// The lists of elements of all formats.
    private static let listNames: Set<String> = ["locations", "features", "MiataruLocation", "location"]

    /// A list of elements: its name, and where it begins.
    private struct List {
        let name: [UInt8]?
        let start: Int
    }

    private let request: SenderRequest
    /// The lists that have not been cut, and the place before the next element of the first.
    private var lists: [List] = []
    private var cursor: JSONReader?
    /// The short members outside the lists, each with a comma behind it.
    private var beside: [UInt8] = []
    /// Whether the request is handed on as it is.
    private var isWhole = true

    /// Looks at the form of a request.
    ///
    /// - Throws: for a long body that begins as JSON and is not valid JSON.
    package init(_ request: SenderRequest) throws(UnreadableRequest) {
        self.request = request
        guard request.body.count > Self.shortest else { return }
        let bytes = request.body.span
        var walk = JSONReader()
        let first = walk.peek(bytes)
        if first == UInt8(ascii: "[") {
            lists = [List(name: nil, start: walk.offset)]
            walk.moveBehindArray(bytes)
        } else if first == UInt8(ascii: "{") {
            readMembers(&walk, bytes)
        } else {
            return  // a form, perhaps with a picture: its format reads it or reports the expected format
        }
        guard walk.isAtEnd(bytes) else {
            throw UnreadableRequest("expected a body in JSON; byte \(walk.offset): \(walk.expectation)")
        }
        isWhole = lists.isEmpty
    }

    private mutating func readMembers(_ walk: inout JSONReader, _ bytes: Span<UInt8>) {
        walk.beginObject(bytes)
        while let name = walk.nextName(bytes) {
            let isArray = walk.peek(bytes) == UInt8(ascii: "[")
            let start = walk.offset
            if isArray, Self.listNames.contains(bytes.text(in: name)) {
                lists.append(List(name: bytes.copied(name), start: start))
                walk.moveBehindArray(bytes)
                continue
            }
            walk.moveBehindElement(bytes)
            guard walk.isSound else { return }
            let length = name.count + walk.offset - start
            guard beside.count + length <= SenderRequest.longestElement else { continue }
            beside += Self.member(bytes.copied(name)) + bytes.copied(start..<walk.offset) + [UInt8(ascii: ",")]
        }
    }

    private static func member(_ name: [UInt8]) -> [UInt8] { [UInt8(ascii: "\"")] + name + Array("\":".utf8) }

    /// The next portion; `nil` behind the last one.
    package mutating func next() -> SenderRequest? {
        guard !isWhole else {
            guard lists.isEmpty, cursor == nil else { return nil }
            cursor = JSONReader()
            return request
        }
        let body = request.body
        let bytes = body.span
        while let list = lists.first {
            var walk = cursor ?? JSONReader(at: list.start)
            if cursor == nil { walk.beginArray(bytes) }
            let (range, isAtEnd) = Self.elements(&walk, bytes)
            cursor = isAtEnd ? nil : walk
            if isAtEnd { lists.removeFirst() }
            if let range { return portion(Self.bounded(range, bytes), of: list) }
        }
        return nil
    }

    /// Returns the range of the next elements, with the commas between them, `nil` where there are none; and whether
    /// the list ends there.
    private static func elements(
        _ walk: inout JSONReader, _ bytes: Span<UInt8>
    ) -> (range: Range<Int>?, isAtEnd: Bool) {
        var range: Range<Int>?
        var count = 0
        while count < elementCount, (range?.count ?? 0) < longest {
            let before = walk
            guard walk.nextElement(bytes) else { return (range, true) }
            _ = walk.peek(bytes)  // moves behind white space
            let begin = walk.offset
            walk.moveBehindElement(bytes)
            if let range, walk.offset - begin > longest {
                walk = before  // a portion of its own
                return (range, false)
            }
            range = (range?.lowerBound ?? begin)..<walk.offset
            count += 1
        }
        return (range, false)
    }

    /// Copies elements. Of one that is too long to be copied, only the members that its reader would look at are
    /// copied.
    private static func bounded(_ range: Range<Int>, _ bytes: Span<UInt8>) -> [UInt8] {
        guard range.count > 2 * longest else { return bytes.copied(range) }
        guard let members = bytes.shortMembers(of: range) else {
            // Too long as well, and no object either.
            let blanks = [UInt8](repeating: UInt8(ascii: " "), count: SenderRequest.longestElement)
            return [UInt8(ascii: "[")] + blanks + [UInt8(ascii: "]")]
        }
        return JSONValue.object(members).bytes
    }

    private func portion(_ elements: [UInt8], of list: List) -> SenderRequest {
        var portion = request
        let (array, end) = (UInt8(ascii: "["), UInt8(ascii: "]"))
        if let name = list.name {
            portion.body =
                [UInt8(ascii: "{")] + beside + Self.member(name) + [array] + elements + [end, UInt8(ascii: "}")]
        } else {
            portion.body = [array] + elements + [end]
        }
        return portion
    }
}

extension JSONReader {
    /// Moves behind an array, element by element.
    fileprivate mutating func moveBehindArray(_ bytes: Span<UInt8>) {
        beginArray(bytes)
        while nextElement(bytes) { moveBehindElement(bytes) }
    }
}
