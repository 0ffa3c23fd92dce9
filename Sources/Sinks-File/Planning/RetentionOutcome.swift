import Logging

/// What a round of the retention has removed, and what it could not.
struct RetentionOutcome: Sendable {
    private var removed: [RetentionPlan.Reason: (count: Int, bytes: Int64)] = [:]
    /// The files that should have gone and are still there.
    private(set) var unremovable: UnremovableFiles?

    /// Whether no file had to go.
    var isEmpty: Bool { removed.isEmpty && unremovable == nil }

    /// How many files have gone.
    var removedCount: Int { removed.values.reduce(0) { $0 + $1.count } }

    /// Notes a file that has gone.
    mutating func add(_ file: RetentionPlan.File, _ reason: RetentionPlan.Reason) {
        removed[reason, default: (0, 0)].count += 1
        removed[reason, default: (0, 0)].bytes &+= file.size
    }

    /// Notes a file that should have gone, or of which nobody can say whether it should.
    mutating func add(_ name: String, _ failure: FileFailure) {
        unremovable = UnremovableFiles(
            count: (unremovable?.count ?? 0) + 1, name: unremovable?.name ?? name,
            reason: unremovable?.reason ?? failure.description)
    }

    /// A line for each reason, and one for what is still there. Of names only one is in them: there may be thousands.
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
package struct UnremovableFiles: Sendable, Hashable {
    /// How many.
    package let count: Int
    /// The first that a round came to.
    package let name: String
    /// What the system says of that one.
    package let reason: String

    /// The same in words: `cannot remove track_2026-03-01.gpx: Operation not permitted; nor 2 other old files`.
    var text: String {
        switch count {
        case 1: reason
        case 2: "\(reason); nor another old file"
        default: "\(reason); nor \(count - 1) other old files"
        }
    }
}
