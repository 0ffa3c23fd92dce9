import TrackEngineSettings
import Yams

/// The line and the reason of a YAML error, without the text itself, which may contain secrets.
struct YAMLProblem {
    /// The line, from 1; 0 for the text as a whole.
    let line: Int
    /// The problem and the expectation.
    let message: String

    /// Converts an error of the parser.
    init(_ error: YamlError, in text: String) {
        switch error {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _):
            let lines = YAMLText(text)
            let place = lines.lastWithText(upTo: mark.line)
            let begin = context.flatMap {
                $0.mark.line == place ? nil : " \($0.text) that begins in line \($0.mark.line)"
            }
            line = place
            message =
                lines.hasTabInFront(place)
                ? "\(problem): expected blanks in front of the line, not tabs"
                : "\(problem)\(begin ?? ""): expected YAML or JSON"
        case .composer(let context?, let problem, let mark, _):
            (line, message) = (mark.line, "\(context.text), \(problem)")
        case .composer(nil, let problem, let mark, _):
            (line, message) = (mark.line, "\(problem): expected YAML or JSON")
        case .duplicatedKeysInMapping(let duplicates, let context):
            line =
                duplicates.compactMap { YAMLText(text).repetition(of: $0, inTableAt: context.mark) }.min()
                ?? context.mark.line
            let keys = duplicates.prefix(8).map(\.shownAsKey).joined(separator: ", ")
            message = "\(keys): expected each key once"
        case .reader(let problem, _, _, _), .writer(let problem), .emitter(let problem), .representer(let problem):
            (line, message) = (0, "\(problem): expected YAML or JSON")
        case .no, .memory, .dataCouldNotBeDecoded:
            (line, message) = (0, "expected YAML or JSON")
        }
    }
}

/// The lines of a text, as the parser counts them.
private struct YAMLText {
    private let lines: [Substring]

    init(_ text: String) { lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) }

    /// The last line up to this one that is not blank: an error at the end of the text belongs to it.
    func lastWithText(upTo line: Int) -> Int {
        var line = min(line, lines.count)
        while line > 1, lines[line - 1].allSatisfy(\.isWhitespace) { line -= 1 }
        return line
    }

    /// Whether the indentation of a line contains a tab.
    func hasTabInFront(_ line: Int) -> Bool {
        lines.indices.contains(line - 1) && lines[line - 1].prefix(while: \.isWhitespace).contains("\t")
    }

    /// The line where a key of a table occurs again, if each of the table's keys begins a line.
    func repetition(of key: String, inTableAt mark: Mark) -> Int? {
        let indentation = mark.column - 1
        var found = 0
        for (index, line) in lines.enumerated().dropFirst(mark.line - 1) {
            let content = line.dropFirst(indentation)
            let isFirst = index == mark.line - 1
            let isBelow = line.prefix(indentation).allSatisfy { $0 == " " }
            let isEmpty = line.allSatisfy(\.isWhitespace) || line.first { $0 != " " } == "#"
            if !isFirst, !isBelow, !isEmpty { return nil }
            guard isFirst || isBelow, Self.gives(content, key) else { continue }
            found += 1
            if found == 2 { return index + 1 }
        }
        return nil
    }

    /// Whether a line begins with a key and its colon.
    private static func gives(_ content: Substring, _ key: String) -> Bool {
        [key, "\"\(key)\"", "'\(key)'"].contains { key in
            content.hasPrefix(key) && content.dropFirst(key.count).first { $0 != " " } == ":"
        }
    }
}
