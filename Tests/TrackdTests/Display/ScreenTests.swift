import Synchronization
import Testing
import TrackEngineAgent
import TrackEngineSettings

@Suite struct ScreenTests {
    @Test func `a frame is drawn over the one before, in one write`() {
        let terminal = RecordingTerminal()
        let screen = Screen { terminal.write($0) }
        screen.show(["one", "two"])
        screen.show(["three"])
        #expect(
            terminal.writes == [
                "one\u{1b}[K\ntwo\u{1b}[K\n\u{1b}[J", "\r\u{1b}[2Athree\u{1b}[K\n\u{1b}[J",
            ])
    }

    @Test func `a line scrolls above the frame, which is drawn again`() {
        let terminal = RecordingTerminal()
        let screen = Screen { terminal.write($0) }
        screen.show(["frame"])
        screen.print("message")
        #expect(terminal.writes.last == "\r\u{1b}[1Amessage\u{1b}[K\nframe\u{1b}[K\n\u{1b}[J")
    }

    @Test func `without a frame a line is a line, without escape sequences`() {
        let terminal = RecordingTerminal()
        Screen { terminal.write($0) }.print("message")
        #expect(terminal.writes == ["message\n"])
    }

    @Test func `a reader that does not keep up loses lines and is told how many`() {
        let terminal = RecordingTerminal()
        let screen = Screen { terminal.write($0) }
        terminal.isStuck = true
        screen.print("one")
        screen.print("two")
        terminal.isStuck = false
        screen.print("three")
        #expect(terminal.writes == ["(2 lines lost)\nthree\n"])
    }

    @Test func `a frame that could not be drawn is not drawn over`() {
        let terminal = RecordingTerminal()
        let screen = Screen { terminal.write($0) }
        terminal.isStuck = true
        screen.show(["one", "two"])
        terminal.isStuck = false
        screen.show(["one", "two"])
        #expect(terminal.writes == ["one\u{1b}[K\ntwo\u{1b}[K\n\u{1b}[J"])
    }
}

/// Keeps what is written to it, or refuses it.
private final class RecordingTerminal: Sendable {
    private let state = Mutex<(writes: [String], isStuck: Bool)>(([], false))

    var writes: [String] { state.withLock { $0.writes } }
    var isStuck: Bool {
        get { state.withLock { $0.isStuck } }
        set { state.withLock { $0.isStuck = newValue } }
    }

    func write(_ bytes: [UInt8]) -> Bool {
        state.withLock { state in
            if !state.isStuck { state.writes.append(String(decoding: bytes, as: UTF8.self)) }
            return !state.isStuck
        }
    }
}
