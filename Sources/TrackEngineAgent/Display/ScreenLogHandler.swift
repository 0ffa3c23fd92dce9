package import Logging
import TrackEngine
import TrackEngineSettings

/// Writes log messages to a screen, one line each.
package struct ScreenLogHandler: LogHandler {
    /// The formats of a line.
    package enum Format: Sendable {
        /// `warning: message key=value`
        case text
        /// `<4>message key=value`: the journal reads the number as the level (sd-daemon(3)).
        case journal
        /// `{"time":…,"level":"warning","message":…,"key":"value"}`
        case json
    }

    package var metadata: Logger.Metadata = [:]
    private let screen: Screen
    private let level: LogLevel
    private let format: Format
    private var ownLevel: Logger.Level?

    package init(_ screen: Screen, level: LogLevel, format: Format) {
        self.screen = screen
        self.level = level
        self.format = format
    }

    /// The common level, unless this logger has its own.
    package var logLevel: Logger.Level {
        get { ownLevel ?? level.current }
        set { ownLevel = newValue }
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let facts = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
        screen.print(line(event, facts.map { ($0.key, "\($0.value)") }))
    }

    private func line(_ event: LogEvent, _ facts: [(String, String)]) -> String {
        switch format {
        case .text: text("\(event.level.rawValue): ", event, facts)
        case .journal: text("<\(event.level.journalPriority)>", event, facts)
        case .json: json(event, facts)
        }
    }

    private func text(_ prefix: String, _ event: LogEvent, _ facts: [(String, String)]) -> String {
        let line = "\(prefix)\(event.message)" + facts.map { " \($0)=\($1)" }.joined()
        return line.replacing("\n", with: " ")
    }

    private func json(_ event: LogEvent, _ facts: [(String, String)]) -> String {
        Self.json(event.level, "\(event.message)", facts)
    }

    static func json(_ level: Logger.Level, _ message: String, _ facts: [(String, String)]) -> String {
        var writer = JSONWriter(capacity: 256)
        let head: [JSONValue.Member] = [
            .init("time", .string(Timestamp.now().rfc3339())), .init("level", .string(level.rawValue)),
            .init("message", .string(message)),
        ]
        JSONValue.object(head + facts.map { .init($0, .string($1)) }).write(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// The note about lost lines in a format.
    static func lossNote(_ count: Int, _ format: Format) -> String {
        switch format {
        case .text: "(\(count.counted("line")) lost)"
        case .journal: "<\(Logger.Level.warning.journalPriority)>lines lost lines=\(count)"
        case .json: json(.warning, "lines lost", [("lines", "\(count)")])
        }
    }
}

extension Logger.Level {
    /// The level of syslog(3).
    var journalPriority: Int {
        switch self {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }
}

/// The least important level to write, for all loggers of the process; a reload may change it.
package final class LogLevel: Sendable {
    private let level: SystemMutex<Logger.Level>

    package init(_ level: Logger.Level) { self.level = SystemMutex(level) }

    /// The level at this moment.
    package var current: Logger.Level { level.withLock { $0 } }

    /// Changes the level from now on.
    package func set(_ level: Logger.Level) { self.level.withLock { $0 = level } }
}
