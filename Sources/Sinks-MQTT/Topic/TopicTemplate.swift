package import TrackEngine

/// A topic with placeholders, `{base}/{device}/record`. It is parsed and filled once; a record only adds the name of
/// its source, if the template contains that.
package struct TopicTemplate: Sendable, Hashable {
    /// The parts of the topic around each `{source}`; all other placeholders are filled in.
    private let pieces: [String]

    /// Parses a template and fills in all placeholders but `{source}`, which depends on the record.
    ///
    /// - Parameter key: the key under which problems are reported.
    /// - Throws: every problem of the template and of the resulting topic. Problems of the values themselves are
    ///   reported by ``TopicValues/check(_:)``.
    package init(_ template: String, _ values: TopicValues, key: String = "topic") throws(ConfigurationError) {
        var check = ConfigurationCheck()
        let parts = Self.parts(of: template, key, &check)
        try check.finish()
        var pieces = [""]
        for part in parts {
            switch part {
            case .text(let text): pieces[pieces.count - 1] += text
            case .placeholder(.base): pieces[pieces.count - 1] += values.base
            case .placeholder(.device): pieces[pieces.count - 1] += values.device.rawValue
            case .placeholder(.user): pieces[pieces.count - 1] += values.user
            case .placeholder(.source): pieces.append("")
            }
        }
        self.pieces = pieces
        checkTopic(template, key, &check)
        try check.finish()
    }

    /// Whether the topic is the same for all records.
    var isFixed: Bool { pieces.count == 1 }

    /// The topic for records of a source. A name that cannot be a level is replaced by its
    /// ``TopicText/level(escaping:)``.
    package func topic(source: SourceID) -> String {
        isFixed ? pieces[0] : pieces.joined(separator: TopicText.level(escaping: source.rawValue))
    }

    private func checkTopic(_ template: String, _ key: String, _ check: inout ConfigurationCheck) {
        let longest = pieces.reduce(0) { $0 + $1.utf8.count } + (pieces.count - 1) * TopicText.maximumEscapedLength
        if let problem = TopicText.problem(inTopic: pieces.joined(separator: "source")) {
            check.problem(key, TopicText.shown(template), problem)
        }
        if longest > TopicText.maximumLength {
            check.problem(
                key, TopicText.shown(template), "a topic of at most \(TopicText.maximumLength) bytes, not \(longest)")
        }
    }
}

// MARK: Reading

extension TopicTemplate {
    private enum Placeholder: String, CaseIterable {
        case base, device, user, source
    }

    private enum Part {
        case text(String)
        case placeholder(Placeholder)
    }

    private static func parts(of template: String, _ key: String, _ check: inout ConfigurationCheck) -> [Part] {
        var parts: [Part] = []
        var rest = template[...]
        while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            parts.append(.text(String(rest[..<brace])))
            let afterBrace = rest.index(after: brace)
            guard rest[brace] == "{", let end = rest[afterBrace...].firstIndex(of: "}") else {
                check.problem(key, TopicText.shown(template), "each { and } to be of a placeholder: " + Self.known)
                return parts
            }
            let name = String(rest[afterBrace..<end])
            if let placeholder = Placeholder(rawValue: name) {
                parts.append(.placeholder(placeholder))
            } else {
                check.problem(key, TopicText.shown(template), "no {\(TopicText.shown(name))}, but of " + Self.known)
            }
            rest = rest[rest.index(after: end)...]
        }
        return parts + [.text(String(rest))]
    }

    private static let known = Placeholder.allCases.map { "{\($0.rawValue)}" }.joined(separator: ", ")
}
