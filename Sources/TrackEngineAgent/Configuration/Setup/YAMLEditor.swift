import Yams

/// Changes values of a YAML document and preserves the rest of its text, including comments, where possible.
///
/// A value on a single line is replaced in place; a missing section is appended. Each edit of the text is checked by
/// reading it back. If that fails, for example for a new element of an existing list, the document is rewritten from
/// its values, and ``keepsText`` is false.
struct YAMLEditor {
    /// A step into the document.
    enum Step: Hashable {
        case key(String)
        case element(Int)
    }

    private(set) var root: Node
    private var text: String?

    /// Whether the original text is preserved, except for the edits.
    var keepsText: Bool { text != nil }

    /// Parses a document; an empty one is an empty table.
    init(_ bytes: [UInt8], name: String) throws(AgentConfigurationError) {
        let document = try YAMLReader.compose(bytes, name: name)
        root = document.flatMap { $0 == Node("") ? nil : $0 } ?? Node([(Node, Node)]())
        text = String(validating: bytes, as: UTF8.self)
    }

    /// The document as text.
    var bytes: [UInt8] {
        if let text { return Array(text.utf8) }
        return Array((root.yaml ?? "").utf8)
    }

    /// Sets a value, and makes the tables on the path to it.
    mutating func set(_ path: [Step], _ value: Node) {
        let before = root
        root = before.setting(path[...], value)
        guard let candidate = replaced(path, value, in: before) ?? appended(path, in: before),
            let reread = try? YAMLReader.compose(Array(candidate.utf8), name: ""),  // unreadable is as bad as different
            reread.meansTheSame(as: root)
        else {
            text = nil
            return
        }
        (root, text) = (reread, candidate)
    }

    /// Removes a key and its value; a missing key is ignored.
    mutating func remove(_ path: [Step]) {
        guard let value = root.node(at: path[...]) else { return }
        let candidate = removed(path, value)
        root = root.removing(path[...])
        guard let candidate, let reread = try? YAMLReader.compose(Array(candidate.utf8), name: ""),  // as above
            reread.meansTheSame(as: root)
        else {
            text = nil
            return
        }
        (root, text) = (reread, candidate)
    }

    /// The text without the lines of a key, if it has its own lines.
    private func removed(_ path: [Step], _ value: Node) -> String? {
        guard let text, case .key(let key)? = path.last,
            let mark = root.node(at: path.dropLast())?.mapping?.first(where: { $0.key.string == key })?.key.mark
        else { return nil }
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.indices.contains(mark.line - 1) else { return nil }
        let end = lines[mark.line...].firstIndex { line in
            line.prefix { $0 == " " }.count < mark.column && line.contains { $0 != " " }
        }
        lines.removeSubrange(mark.line - 1..<(end ?? lines.endIndex))
        return lines.joined(separator: "\n")
    }

    /// The text with another value, if the present one is on a single line.
    private func replaced(_ path: [Step], _ value: Node, in document: Node) -> String? {
        guard let text, case .scalar(let old)? = document.node(at: path[...]), case .scalar(let new) = value,
            let mark = old.mark
        else { return nil }
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.indices.contains(mark.line - 1) else { return nil }
        let scalars = lines[mark.line - 1].unicodeScalars
        let head = String(String.UnicodeScalarView(scalars.prefix(mark.column - 1)))
        let tail = String(String.UnicodeScalarView(scalars.dropFirst(mark.column - 1)))
        let forms = ["\"\(old.string)\"", "'\(old.string)'", old.string].filter { !$0.isEmpty }
        guard let form = forms.first(where: tail.hasPrefix) else { return nil }
        lines[mark.line - 1] = head + new.written + tail.dropFirst(form.count)
        return lines.joined(separator: "\n")
    }

    /// The text with a new section at its end.
    private func appended(_ path: [Step], in document: Node) -> String? {
        guard let text, case .key(let key)? = path.first, document[key] == nil, let section = root[key] else {
            return nil
        }
        return Node([(Node(key), section)]).yaml.map { text + (text.isEmpty || text.hasSuffix("\n") ? "" : "\n") + $0 }
    }
}

extension Node.Scalar {
    /// The scalar as written in a document: words unchanged, texts in quotes.
    fileprivate var written: String { style == .plain ? string : string.quotedForYAML }
}

extension Node {
    func node(at path: ArraySlice<YAMLEditor.Step>) -> Node? {
        guard let step = path.first else { return self }
        switch (step, self) {
        case (.key(let key), .mapping): return self[key]?.node(at: path.dropFirst())
        case (.element(let index), .sequence(let sequence)):
            return sequence.indices.contains(index) ? sequence[index].node(at: path.dropFirst()) : nil
        case (_, _): return nil
        }
    }

    /// The node with another value at a path. A value in the place of a table or list is replaced by one.
    func setting(_ path: ArraySlice<YAMLEditor.Step>, _ value: Node) -> Node {
        guard let step = path.first else { return value }
        let rest = path.dropFirst()
        switch step {
        case .key(let key):
            var pairs = mapping.map { $0.map { ($0.key, $0.value) } } ?? []
            if let index = pairs.firstIndex(where: { $0.0.string == key }) {
                pairs[index].1 = pairs[index].1.setting(rest, value)
            } else {
                pairs.append((Node(key), Node("").setting(rest, value)))
            }
            return Node(pairs, .implicit, mapping?.style ?? .any)
        case .element(let index):
            var elements = sequence.map(Array.init) ?? []
            while elements.count <= index { elements.append(Node("")) }
            elements[index] = elements[index].setting(rest, value)
            return Node(elements, .implicit, sequence?.style ?? .any)
        }
    }

    /// The node without the key at the end of a path.
    func removing(_ path: ArraySlice<YAMLEditor.Step>) -> Node {
        guard let step = path.first else { return self }
        switch (step, self) {
        case (.key(let key), .mapping(let mapping)):
            let pairs = mapping.compactMap { pair -> (Node, Node)? in
                guard pair.key.string == key else { return (pair.key, pair.value) }
                return path.count == 1 ? nil : (pair.key, pair.value.removing(path.dropFirst()))
            }
            return Node(pairs, .implicit, mapping.style)
        case (.element(let index), .sequence(let sequence)):
            let elements = sequence.enumerated().map { $0 == index ? $1.removing(path.dropFirst()) : $1 }
            return Node(elements, .implicit, sequence.style)
        case (_, _): return self
        }
    }

    /// Whether both nodes have the same values, regardless of style and position.
    fileprivate func meansTheSame(as other: Node) -> Bool {
        switch (self, other) {
        case (.scalar(let left), .scalar(let right)): left.string == right.string
        case (.sequence(let left), .sequence(let right)):
            left.count == right.count && zip(left, right).allSatisfy { $0.meansTheSame(as: $1) }
        case (.mapping(let left), .mapping(let right)):
            left.count == right.count
                && zip(left, right).allSatisfy { $0.key.string == $1.key.string && $0.value.meansTheSame(as: $1.value) }
        case (_, _): false
        }
    }
}

extension String {
    /// The text in double quotes, with the escapes that YAML and JSON share; for text without control characters.
    fileprivate var quotedForYAML: String {
        "\"" + flatMap { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) } + "\""
    }
}
