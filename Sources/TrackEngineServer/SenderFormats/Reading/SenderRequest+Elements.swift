import TrackEngine

extension SenderRequest {
    /// An element of a body, or the reason why it was not read.
    typealias Element = Result<JSONValue, PointProblem>

    /// The most bytes of an element that are read: an Overland feature has some 500.
    static let longestElement = 65_536

    /// Walks over a body in JSON, holding at most one element of it in memory.
    ///
    /// The elements are those of an array at the top, or of the lists in an object. One object in the place of a list
    /// is its only element. An object without any of the lists is itself the only element. Invalid JSON within an
    /// element costs that element alone. The words `NaN` and `Infinity`, which Python and others write, count as `null`.
    ///
    /// - Parameters:
    ///   - lists: the names of the members that hold elements.
    ///   - names: the names of other members that are wanted.
    ///   - take: takes the next element.
    /// - Returns: the wanted members that are present.
    /// - Throws: when the body is no JSON, or neither an array nor an object; the elements taken until then are void.
    func readElements(
        in lists: [String] = [], beside names: [String] = [], _ take: (Element) -> Void
    ) throws(UnreadableRequest) -> [String: JSONValue] {
        var walk = ElementReader(lists: lists, names: names)
        walk.readBody(body.span, take)
        guard walk.cursor.isAtEnd(body.span) else {
            throw UnreadableRequest("expected a body in JSON; byte \(walk.cursor.offset): \(walk.cursor.expectation)")
        }
        return walk.members
    }
}

/// The walk over a body.
private struct ElementReader {
    let lists: [String]
    let names: [String]
    var cursor = JSONReader()
    var members: [String: JSONValue] = [:]
    private var hasList = false

    init(lists: [String], names: [String]) {
        self.lists = lists
        self.names = names
    }

    mutating func readBody(_ bytes: Span<UInt8>, _ take: (SenderRequest.Element) -> Void) {
        let next = cursor.peek(bytes)
        guard next == UInt8(ascii: "{") else {
            return next == UInt8(ascii: "[") ? readArray(bytes, take) : cursor.fail("expected an object or an array")
        }
        let start = cursor
        cursor.beginObject(bytes)
        while let name = cursor.nextName(bytes) { readMember(bytes.text(in: name), bytes, take) }
        guard !hasList, cursor.isSound else { return }
        cursor = start
        readElement(bytes, take)
    }

    private mutating func readMember(_ name: String, _ bytes: Span<UInt8>, _ take: (SenderRequest.Element) -> Void) {
        let next = cursor.peek(bytes)
        if lists.contains(name), next == UInt8(ascii: "[") {
            hasList = true
            readArray(bytes, take)
        } else if lists.contains(name), next == UInt8(ascii: "{") {
            hasList = true
            readElement(bytes, take)
        } else if names.contains(name) {
            if case .success(let value) = nextElement(bytes) { members[name] = value }
        } else {
            cursor.moveBehindElement(bytes)
        }
    }

    private mutating func readArray(_ bytes: Span<UInt8>, _ take: (SenderRequest.Element) -> Void) {
        cursor.beginArray(bytes)
        while cursor.nextElement(bytes) { readElement(bytes, take) }
    }

    private mutating func readElement(_ bytes: Span<UInt8>, _ take: (SenderRequest.Element) -> Void) {
        let element = nextElement(bytes)
        if cursor.isSound { take(element) }
    }

    /// The next element. Its length is known before it is read into memory.
    private mutating func nextElement(_ bytes: Span<UInt8>) -> SenderRequest.Element {
        _ = cursor.peek(bytes)  // moves behind white space
        let start = cursor.offset
        cursor.moveBehindElement(bytes)
        let element = start..<cursor.offset
        guard element.count > SenderRequest.longestElement else {
            let value = JSONValue(readingNumberWords: bytes.copied(element))
            return value.map(SenderRequest.Element.success) ?? .failure(PointProblem(.unread, "expected JSON"))
        }
        return bytes.shortMembers(of: element).map { .success(.object($0)) }
            ?? .failure(PointProblem(.unread, "expected at most \(SenderRequest.longestElement) bytes"))
    }
}

extension JSONReader {
    /// Moves behind a value by its quotes and brackets alone, regardless of the contents between them.
    mutating func moveBehindElement(_ bytes: Span<UInt8>) {
        _ = peek(bytes)  // moves behind white space
        guard isSound, let end = bytes.endOfValue(from: offset) else { return fail("expected a value") }
        offset = end
    }
}

extension Span<UInt8> {
    /// Returns the end of a value that begins at a place, by quotes and brackets alone; `nil` where none begins or
    /// ends.
    fileprivate func endOfValue(from start: Int) -> Int? {
        var depth = 0
        var position = start
        while position < count {
            switch self[position] {
            case UInt8(ascii: "\""):
                guard let end = endOfText(from: position + 1) else { return nil }
                position = end
                if depth == 0 { return position }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard depth > 0 else { return position > start ? position : nil }
                depth -= 1
                if depth == 0 { return position + 1 }
            case UInt8(ascii: ","), UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
                if depth == 0 { return position > start ? position : nil }
            default: break
            }
            position += 1
        }
        return depth == 0 && position > start ? position : nil
    }

    /// Returns the end of a text that begins at a place; `nil` where it does not end.
    private func endOfText(from start: Int) -> Int? {
        var position = start
        while position < count {
            position = endOfPlainText(from: position)
            guard position < count else { return nil }
            switch self[position] {
            case UInt8(ascii: "\""): return position + 1
            case UInt8(ascii: "\\"): position += 2
            default: position += 1  // a control character
            }
        }
        return nil
    }

    /// Returns the short members of a long object, up to ``SenderRequest/longestElement`` in total: a photo next to a
    /// position is left out. `nil` where there is no object.
    func shortMembers(of element: Range<Int>) -> [JSONValue.Member]? {
        let bytes = extracting(element)
        var cursor = JSONReader()
        var members: [JSONValue.Member] = []
        var left = SenderRequest.longestElement
        guard cursor.peek(bytes) == UInt8(ascii: "{") else { return nil }
        cursor.beginObject(bytes)
        while let name = cursor.nextName(bytes) {
            _ = cursor.peek(bytes)  // moves behind white space
            let start = cursor.offset
            cursor.moveBehindElement(bytes)
            let length = cursor.offset - start + name.count
            guard length <= min(left, SenderRequest.longestElement / 4) else { continue }
            left -= length
            if let value = JSONValue(readingNumberWords: bytes.copied(start..<cursor.offset)) {
                members.append(JSONValue.Member(bytes.text(in: name), value))
            }
        }
        return cursor.isSound ? members : nil
    }
}
