import TrackEngine
import TrackEngineSettings

/// Where a running agent's texts go: a frame redrawn in place on a terminal with messages scrolling above it, or plain
/// lines elsewhere.
///
/// It never waits for a slow reader: a frame that does not fit now is skipped, and lines that were lost are counted and
/// mentioned later.
package final class Screen: Sendable {
    private struct State {
        var frame: [String] = []
        var drawn = 0
        var lost = 0
    }

    private let state = PthreadMutex(State())
    private let note: @Sendable (Int) -> String
    private let write: @Sendable ([UInt8]) -> Bool

    /// A screen on top of something that takes bytes, or refuses them because it cannot take them now.
    ///
    /// - Parameter note: the line about so many lines that were lost.
    package init(
        note: @escaping @Sendable (Int) -> String = { "(\($0.counted("line")) lost)" },
        write: @escaping @Sendable ([UInt8]) -> Bool
    ) {
        self.note = note
        self.write = write
    }

    /// Replaces the frame.
    package func show(_ frame: [String]) {
        state.withLock { state in
            // One write, each line cleared to its end as it is overwritten: nothing flickers.
            if write(Array((Self.home(state.drawn) + Self.body(frame)).utf8)) { state.drawn = frame.count }
            state.frame = frame
        }
    }

    /// Writes a line above the frame, or just a line where there is none.
    package func print(_ line: String) {
        state.withLock { state in
            let note = state.lost > 0 ? self.note(state.lost) : nil
            guard !state.frame.isEmpty || state.drawn > 0 else {
                let text = (note.map { $0 + "\n" } ?? "") + line + "\n"
                state.lost = write(Array(text.utf8)) ? 0 : state.lost + 1
                return
            }
            let lines = [note, line].compactMap(\.self).map { $0 + "\u{1b}[K\n" }.joined()
            let text = Self.home(state.drawn) + lines + Self.body(state.frame)
            if write(Array(text.utf8)) {
                state.drawn = state.frame.count
                state.lost = 0
            } else {
                state.lost += 1
            }
        }
    }

    /// Leaves the frame as it stands and the cursor below it; what is printed from now on follows.
    package func release() {
        state.withLock { state in
            state.frame = []
            state.drawn = 0
        }
    }

    /// To the first line of what was drawn (CUU, ECMA-48 section 8.3.22).
    private static func home(_ lines: Int) -> String {
        lines > 0 ? "\r\u{1b}[\(lines)A" : ""
    }

    /// The lines, each cleared behind its end (EL), and everything below them cleared (ED).
    private static func body(_ frame: [String]) -> String {
        frame.map { $0 + "\u{1b}[K\n" }.joined() + "\u{1b}[J"
    }
}
