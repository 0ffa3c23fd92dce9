import Foundation
import TestSupport
import Testing

/// The golden file of messages, with which tests compare sentences.
@Suite struct MessageFileTests {
    @Test func `the file is sorted and has no name twice`() throws {
        #expect(try MessageFile.shared.read().isEmpty == false)
    }

    @Test(arguments: ["b: x\ta\na: x\tb\n", "a: x\ta\na: x\tb\n", "a: x\n"])
    func `a line out of order, a name given twice and a line without a text are refused`(_ text: String) {
        #expect(throws: MessageFileError.self) { try MessageFile.messages(in: text) }
    }

    @Test func `every text comes back from its line`() throws {
        let messages = ["a: \t\n": "b\\u{9}\r\n\u{0}…", "\\": "", "": "\u{1b}[2J ä\u{301}"]
        let lines = MessageFile.lines(of: messages)
        #expect(lines.split(separator: "\n").count == 3)
        #expect(try MessageFile.messages(in: lines) == messages)
    }

    @Test func `what several record at a time is all there`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let file = MessageFile(in: folder)
            try Data("case 3\told\nother\tkept\n".utf8).write(to: URL(fileURLWithPath: file.path))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<8 { group.addTask { try file.record("text \(number)", as: "case \(number)") } }
                try await group.waitForAll()
            }
            let cases = (0..<8).map { ("case \($0)", "text \($0)") }
            #expect(try file.read() == Dictionary(uniqueKeysWithValues: cases + [("other", "kept")]))
        }
    }

    @Test(arguments: [
        ("store = 5: expected 6", true), ("store: x", true), ("store", true), ("stores: x", false),
        ("store.path", false), ("store; x", true),
    ])
    func `a message begins with a key as a whole`(_ text: String, _ begins: Bool) {
        #expect(MessageFile.begins(text, with: "store") == begins)
    }
}
