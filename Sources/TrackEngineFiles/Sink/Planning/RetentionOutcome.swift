import Logging

/// The files that a round of the retention has removed, and those that it could not remove.
struct RetentionOutcome: Sendable {
    private var removed: [RetentionPlan.Reason: (count: Int, bytes: Int64)] = [:]
    /// The files that must be removed and still exist.
    private(set) var unremovable: RetentionError?

    /// Whether no file had to be removed.
    var isEmpty: Bool { removed.isEmpty && unremovable == nil }

    /// The number of removed files.
    var removedCount: Int { removed.values.reduce(0) { $0 + $1.count } }

    mutating func add(_ file: RetentionPlan.File, _ reason: RetentionPlan.Reason) {
        removed[reason, default: (0, 0)].count += 1
        removed[reason, default: (0, 0)].bytes &+= file.size
    }

    /// Adds a file that could not be removed or examined.
    mutating func add(_ name: String, _ failure: FileFailure) {
        unremovable = RetentionError(
            count: (unremovable?.count ?? 0) + 1, name: unremovable?.name ?? name,
            reason: unremovable?.reason ?? failure.description)
    }

    /// Logs a line for each reason, and one for the remaining files. It names only one of them: there may be
    /// thousands.
    func log(to logger: Logger) {
        for reason in RetentionPlan.Reason.allCases {
            guard let (count, bytes) = removed[reason] else { continue }
            logger.info(
                "old files are removed",
                metadata: ["files": "\(count)", "bytes": "\(bytes)", "reason": "\(reason.rawValue)"])
        }
        if let unremovable {
            logger.warning(
                "old files cannot be removed",
                metadata: [
                    "files": "\(unremovable.count)", "file": "\(unremovable.name)", "reason": "\(unremovable.reason)",
                ])
        }
    }
}

/// Files that retention should have removed and could not.
package struct RetentionError: Sendable, Hashable {
    /// The number of files.
    package let count: Int
    /// The first file that a round found.
    package let name: String
    /// The system's error for this file.
    package let reason: String

    /// The description: `cannot remove track_2026-03-01.gpx: Operation not permitted; nor 2 other old files`.
    var text: String {
        switch count {
        case 1: reason
        case 2: "\(reason); nor another old file"
        default: "\(reason); nor \(count - 1) other old files"
        }
    }
}
