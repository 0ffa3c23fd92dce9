import TrackEngineSettings

/// A progress bar on one line of a terminal, redrawn a few times per second.
struct ProgressLine: ~Copyable {
    private static let interval = Duration.milliseconds(100)

    private let terminal: Terminal
    private let columns: Int
    private var nextDraw = ContinuousClock.now
    private var isDrawn = false

    /// A bar on standard error; `nil` if that cannot show it.
    init?(environment: [String: String]) {
        guard Terminal.error.canMoveCursor(environment: environment) else { return nil }
        terminal = .error
        columns = terminal.style(environment: environment).columns
    }

    /// Shows the progress of a file.
    mutating func show(_ name: String, read: Int64, of total: Int64?) {
        guard ContinuousClock.now >= nextDraw else { return }
        nextDraw = ContinuousClock.now.advanced(by: Self.interval)
        terminal.write(Array(("\r" + Self.line(name, read: read, of: total, columns: columns) + "\u{1b}[K").utf8))
        isDrawn = true
    }

    /// Removes the bar, so other text can be printed.
    mutating func clear() {
        guard isDrawn else { return }
        terminal.write(Array("\r\u{1b}[K".utf8))
        isDrawn = false
        nextDraw = ContinuousClock.now
    }

    /// The bar as text, shorter than the line: `drive.nmea  [#####.....]  50 %`.
    static func line(_ name: String, read: Int64, of total: Int64?, columns: Int) -> String {
        let name = ScreenText(name).cut(to: max(8, columns / 3)).rendered(StatusStyle(columns: columns))
        guard let total, total > 0 else { return "\(name)  \(read.asBytes)" }
        let share = min(1, max(0, Double(read) / Double(total)))
        let width = max(0, columns - name.count - 13)
        let done = Int(share * Double(width))
        let bar = String(repeating: "#", count: done) + String(repeating: ".", count: width - done)
        return "\(name)  [\(bar)]  \(Int(share * 100)) %"
    }
}
