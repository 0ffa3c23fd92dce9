import TrackEngine
import TrackEngineSettings

/// The output of a running agent: a frame that is redrawn in place on a terminal, with messages scrolling above it,
/// or plain lines elsewhere.
///
/// It never waits for a slow reader: a frame that does not fit now is skipped, and lost lines are counted and
/// reported later.
package final class Screen: Sendable {
    private struct State {
        var frame: [String] = []
        var drawn = 0
        var lost = 0
    }

    private let state = SystemMutex(State())
    private let note: @Sendable (Int) -> String
    private let write: @Sendable ([UInt8]) -> Bool

    /// A screen on top of an output that accepts bytes, or refuses them because it cannot accept them now.
    ///
    /// - Parameter note: the line about a number of lost lines.
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
            // One write, with each line cleared to its end as it is overwritten, avoids flicker.
            if write(Array((Self.home(state.drawn) + Self.body(frame)).utf8)) { state.drawn = frame.count }
            state.frame = frame
        }
    }

    /// Writes a line above the frame, or a plain line if there is no frame.
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

    /// Leaves the frame as it is and the cursor below it; further lines follow there.
    package func release() {
        state.withLock { state in
            state.frame = []
            state.drawn = 0
        }
    }

    /// Moves to the first drawn line (CUU, ECMA-48 section 8.3.22).
    private static func home(_ lines: Int) -> String {
        lines > 0 ? "\r\u{1b}[\(lines)A" : ""
    }

    /// The lines, each cleared after its end (EL), with everything below them cleared (ED).
    private static func body(_ frame: [String]) -> String {
        frame.map { $0 + "\u{1b}[K\n" }.joined() + "\u{1b}[J"
    }
}
