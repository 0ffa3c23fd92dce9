package import Logging
import TrackEngine

/// The least important level that is written, for all loggers of the process; a reload may change it.
package final class LogLevel: Sendable {
    private let level: PthreadMutex<Logger.Level>

    package init(_ level: Logger.Level) { self.level = PthreadMutex(level) }

    /// The level at this moment.
    package var current: Logger.Level { level.withLock { $0 } }

    /// Changes the level from now on.
    package func set(_ level: Logger.Level) { self.level.withLock { $0 = level } }
}
