import Logging
import Synchronization

/// Keeps what a sink logs.
final class RecordingLog: Sendable {
    struct Line: Sendable {
        let level: Logger.Level
        let message: String
        let metadata: [String: String]
    }

    private let recorded = Mutex<[Line]>([])

    var lines: [Line] { recorded.withLock { $0 } }

    var logger: Logger { Logger(label: "test", factory: { _ in Handler(log: self) }) }

    private func record(_ line: Line) { recorded.withLock { $0.append(line) } }

    private struct Handler: LogHandler {
        let log: RecordingLog
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        init(log: RecordingLog) { self.log = log }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let facts = metadata.merging(event.metadata ?? [:]) { $1 }.mapValues { "\($0)" }
            log.record(Line(level: event.level, message: "\(event.message)", metadata: facts))
        }
    }
}
