import Foundation
import Testing

/// Compares a message with `Messages.golden`, which holds every sentence that tests compare.
///
/// A test compares keys, kinds and numbers itself; `begin` is the place or key with which the message has to begin. The line
/// in the file is named after the test's file and `name`, or the test where there is no `name`.
package func expectMessage(
    _ text: String?, begin: String? = nil, as name: String? = nil, replacing: [String: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
) {
    expectMessages(
        text.map { [$0] }, begin: begin.map { [$0] }, as: name, replacing: replacing, sourceLocation: sourceLocation)
}

/// Compares several messages, in their order, with one line of `Messages.golden`.
///
/// - Parameters:
///   - begin: The places or keys with which the messages have to begin, as many as there are messages.
///   - name: The case in words, or its input; needed where a test compares more than one message.
///   - replacing: What differs between machines or runs, such as a temporary folder, and the word that replaces it.
package func expectMessages(
    _ texts: [String]?, begin: [String]? = nil, as name: String? = nil, replacing: [String: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
) {
    guard let texts else {
        Issue.record("there is no message", sourceLocation: sourceLocation)
        return
    }
    if texts.isEmpty, begin?.isEmpty == true { return }
    if let begin {
        let fits = texts.count == begin.count && zip(texts, begin).allSatisfy { MessageFile.begins($0, with: $1) }
        #expect(fits, "\(texts) do not begin with \(begin)", sourceLocation: sourceLocation)
    }
    guard let name = name ?? Test.current.map({ $0.displayName ?? $0.name }) else {
        Issue.record("a message outside of a test needs a name", sourceLocation: sourceLocation)
        return
    }
    var text = texts.joined(separator: "\n")
    for (part, word) in replacing { text = text.replacing(part, with: word) }
    let file = sourceLocation.fileID.replacing(".swift", with: "")
    do {
        let recorded = try MessageFile.shared.recorded(text, as: "\(file): \(name)")
        #expect(text == recorded, "Messages.golden, \(file): \(name)", sourceLocation: sourceLocation)
    } catch {
        Issue.record(error, sourceLocation: sourceLocation)
    }
}

/// A file of messages: a line for each, the name, a tab and the text; sorted by line.
package struct MessageFile: Sendable {
    package let path: String
    private let folder: String

    package init(in folder: String) {
        self.folder = folder
        path = folder + "/Messages.golden"
    }

    package static let shared = MessageFile(in: URL(fileURLWithPath: #filePath).deletingLastPathComponent().path)
    private static let isRecording = ProcessInfo.processInfo.environment["RECORD_MESSAGES"] == "1"
    private static let messages = Result { try shared.read() }

    /// The text that the shared file has for a name; with `RECORD_MESSAGES=1` it is this text afterwards.
    fileprivate func recorded(_ text: String, as name: String) throws -> String? {
        guard Self.isRecording else { return try Self.messages.get()[name] }
        try record(text, as: name)
        return text
    }

    /// Several processes record at a time. The lock is on the folder, because each of them replaces the file.
    package func record(_ text: String, as name: String) throws {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CocoaError(.fileReadUnknown) }
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw CocoaError(.fileLocking) }
        }
        var messages = try read()
        guard messages.updateValue(text, forKey: name) != text else { return }
        try Data(Self.lines(of: messages).utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    }

    package func read() throws -> [String: String] {
        try Self.messages(in: String(contentsOfFile: path, encoding: .utf8))
    }

    package static func lines(of messages: [String: String]) -> String {
        messages.map { "\(escaped($0.key))\t\(escaped($0.value))\n" }.sorted().joined()
    }

    /// Throws for a line without a tab, a name that two lines have, and a line out of order.
    package static func messages(in text: String) throws -> [String: String] {
        var messages: [String: String] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, messages.updateValue(unescaped(parts[1]), forKey: unescaped(parts[0])) == nil else {
                throw MessageFileError(line: String(line))
            }
        }
        for (line, sorted) in zip(text.split(separator: "\n"), lines(of: messages).split(separator: "\n"))
        where line != sorted { throw MessageFileError(line: String(line)) }
        return messages
    }

    /// Whether a message begins with a place or key as a whole: `store` begins neither `stores: …` nor `store.path: …`.
    package static func begins(_ text: String, with place: String) -> Bool {
        guard text.hasPrefix(place) else { return false }
        guard let next = text.dropFirst(place.count).first else { return true }
        return !next.isLetter && !next.isNumber && next != "." && next != "-"
    }

    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "\n": "\\n"
            case "\t": "\\t"
            case "\\": "\\\\"
            case "\u{0}"..<" ", "\u{7f}": "\\u{\(String(scalar.value, radix: 16))}"
            default: String(scalar)
            }
        }.joined()
    }

    private static func unescaped(_ text: Substring) -> String {
        guard text.contains("\\") else { return String(text) }
        return String(text).replacing(/\\(?:([nt\\])|u\{([0-9a-f]+)\})/) { match in
            switch match.1 {
            case "n": "\n"
            case "t": "\t"
            case "\\": "\\"
            default:
                match.2.flatMap { UInt32($0, radix: 16) }.flatMap(Unicode.Scalar.init).map { String(Character($0)) }
                    ?? ""
            }
        }
    }
}

/// A line of a file of messages that has no tab, a name that another line has, or the wrong place.
package struct MessageFileError: Error, Equatable {
    package var line: String
}

extension String {
    /// The first line with a word, of all that a program printed.
    package func line(with word: String) -> String? {
        split(separator: "\n").first { $0.contains(word) }.map(String.init)
    }
}
