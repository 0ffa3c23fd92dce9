package import Logging

/// Writes log messages to a screen, one line each: `warning: message key=value`.
///
/// Under systemd each line begins with the level's number in angle brackets (sd-daemon(3)), so that the journal keeps
/// it.
package struct ScreenLogHandler: LogHandler {
    package var logLevel: Logger.Level
    package var metadata: Logger.Metadata = [:]
    private let screen: Screen
    private let isJournal: Bool

    package init(_ screen: Screen, level: Logger.Level, isJournal: Bool) {
        self.screen = screen
        self.isJournal = isJournal
        logLevel = level
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        let facts = all.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
        let prefix = isJournal ? "<\(event.level.journalPriority)>" : "\(event.level.rawValue): "
        screen.print("\(prefix)\(event.message)\(facts)".replacing("\n", with: " "))
    }
}

extension Logger.Level {
    /// The level of syslog(3).
    fileprivate var journalPriority: Int {
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
