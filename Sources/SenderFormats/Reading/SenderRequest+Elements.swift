import TrackEngine

extension SenderRequest {
    /// An element of a body, or why it is not looked at.
    typealias Element = Result<JSONValue, PointProblem>

    /// The largest element that is read: an Overland feature has some 500 bytes.
    static let longestElement = 65_536

    /// Walks over a body in JSON without holding more of it than one element.
    ///
    /// The elements are those of an array at the top, or of the lists in an object; one object in the place of a list is its
    /// only element. An object without any of the lists is itself the only element.
    ///
    /// - Parameters:
    ///   - lists: the names of the members that hold elements.
    ///   - names: the names of members beside them that are wanted.
    ///   - take: takes the next element.
    /// - Returns: the members that are wanted and there.
    /// - Throws: when the body is no JSON, or neither an array nor an object; what was taken then is void.
    func readElements(
        in lists: [String] = [], beside names: [String] = [], _ take: (Element) -> Void
    ) throws(UnreadableRequest) -> [String: JSONValue] {
        var walk = ElementWalk(lists: lists, names: names)
        walk.readBody(body.span, take)
        guard walk.cursor.isAtEnd(body.span) else {
            throw UnreadableRequest("expected a body in JSON; byte \(walk.cursor.offset): \(walk.cursor.expectation)")
        }
        return walk.members
    }
}

/// The walk over a body.
private struct ElementWalk {
    let lists: [String]
    let names: [String]
    var cursor = JSONCursor()
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
            cursor.skip(bytes)
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

    /// The next element, of which the length is known before it is read into memory.
    private mutating func nextElement(_ bytes: Span<UInt8>) -> SenderRequest.Element {
        _ = cursor.peek(bytes)  // moves behind white space
        let start = cursor.offset
        cursor.skip(bytes)
        guard cursor.offset - start <= SenderRequest.longestElement else {
            return .failure(PointProblem("expected at most \(SenderRequest.longestElement) bytes"))
        }
        let value = JSONValue(ifReadable: bytes.copied(start..<cursor.offset))
        return value.map(SenderRequest.Element.success) ?? .failure(PointProblem("expected fewer levels"))
    }
}
