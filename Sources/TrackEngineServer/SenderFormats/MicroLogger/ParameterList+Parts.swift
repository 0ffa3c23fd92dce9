extension ParameterList {
    /// The longest value of a part that is read, in bytes; a picture is ignored.
    private static let longestPart = 1024

    /// Reads a form of several parts (`multipart/form-data`, RFC 7578): those that have a name and a short value.
    ///
    /// The divider of the parts is the first line that begins with two hyphens; the body's media type announces the
    /// same one.
    init(parts body: [UInt8]) {
        self.init()
        let lineEnd: [UInt8] = [13, 10]
        let start = body.starts(with: lineEnd) ? body.dropFirst(2) : body[...]
        guard let end = start.firstRange(of: lineEnd)?.lowerBound, start.starts(with: [45, 45]),
            end > start.startIndex + 2,
            end - start.startIndex <= 128
        else { return }
        let divider = lineEnd + start[..<end]
        var rest = start[end...]
        for _ in 0..<Self.maximumCount {
            guard let next = rest.firstRange(of: divider)?.lowerBound else { return }
            take(part: rest[..<next])
            rest = rest[(next + divider.count)...]
        }
    }

    /// Takes a part: lines of its head, an empty line, the value.
    private mutating func take(part: ArraySlice<UInt8>) {
        guard let blank = part.prefix(Self.longestPart).firstRange(of: [13, 10, 13, 10]),
            part.endIndex - blank.upperBound <= Self.longestPart
        else { return }
        let head = String(decoding: part[..<blank.lowerBound], as: UTF8.self)
        guard let begin = head.firstRange(of: "; name=\"")?.upperBound, !head.contains("; filename="),
            let end = head[begin...].firstIndex(of: "\"")
        else { return }
        set(String(head[begin..<end]), String(validating: part[blank.upperBound...], as: UTF8.self))
    }
}
