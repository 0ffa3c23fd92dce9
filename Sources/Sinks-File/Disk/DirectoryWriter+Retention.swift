import Logging
import TrackEngine

extension DirectoryWriter {
    /// Removes finished files of the sink that are too old or too many, if that may be due. What cannot be removed stays
    /// for the next time: records are not refused for its sake.
    ///
    /// - Parameter newest: the time of the newest record. Age counts to it or to the machine's clock, whichever is earlier:
    ///   one of them that is ahead, as a wrong fix or a clock without a battery can be, removes nothing.
    mutating func runRetention(in session: inout Session, newest: Timestamp) {
        let partSize = session.partSize
        let limit = configuration.maxBytes > 0 ? configuration.maxBytes : nil
        let isTooMuch = limit.map { status.keptBytes > 0 && status.keptBytes + partSize > $0 } ?? false
        guard session.isRetentionDue || isTooMuch else { return }
        session.isRetentionDue = false
        let age: Duration? = configuration.keepDays > 0 ? .seconds(86_400 * Int64(configuration.keepDays)) : nil
        var plan = RetentionPlan(
            newest: min(newest, now()), maximumAge: age, maximumBytes: limit, partSize: partSize)
        var removed = RemovedFiles()
        do throws(FileFailure) {
            try removeFiles(by: &plan, in: session, &removed)
            status.keptFiles = plan.count
            status.keptBytes = plan.bytes
        } catch {
            logger.warning("old files cannot be removed", metadata: ["reason": "\(error)"])
        }
        status.removedFiles += removed.count
        removed.log(to: logger)
    }

    /// Goes through the directory as often as the plan wants it.
    private func removeFiles(
        by plan: inout RetentionPlan, in session: Session, _ removed: inout RemovedFiles
    ) throws(FileFailure) {
        while true {
            try session.directory.forEachName { entry throws(FileFailure) in
                guard let file = try finishedFile(entry, in: session), let reason = plan.examine(file) else { return }
                try session.directory.remove(file.name)
                removed.add(file, reason)
            }
            let end = plan.endPass()
            for file in end.removals {
                try session.directory.remove(file.name)
                removed.add(file, .size)
            }
            if case .done = end { return }
        }
    }

    /// A name of the directory as a finished file of the sink; `nil` for everything else.
    private func finishedFile(_ entry: String, in session: Session) throws(FileFailure) -> RetentionPlan.File? {
        // Under its final name already, it still counts as the file under way, and recovery looks for it.
        if case .finishing(_, entry) = session.state.file { return nil }
        guard let name = TrackFileName(finished: entry), name.prefix == configuration.prefix,
            let start = name.startTime, let file = try session.directory.regularFile(entry)
        else { return nil }
        return RetentionPlan.File(
            name: entry, start: start, modified: file.modified, number: name.number, size: file.size)
    }
}

/// What a round of the retention has removed.
private struct RemovedFiles {
    private var files: [RetentionPlan.Reason: (count: Int, bytes: Int64)] = [:]

    /// How many files in all.
    var count: Int { files.values.reduce(0) { $0 + $1.count } }

    mutating func add(_ file: RetentionPlan.File, _ reason: RetentionPlan.Reason) {
        files[reason, default: (0, 0)].count += 1
        files[reason, default: (0, 0)].bytes &+= file.size
    }

    /// A line for each reason; names of files are not in it, there may be thousands.
    func log(to logger: Logger) {
        for reason in RetentionPlan.Reason.allCases {
            guard let (count, bytes) = files[reason] else { continue }
            logger.info(
                "old files are removed",
                metadata: ["files": "\(count)", "bytes": "\(bytes)", "reason": "\(reason.rawValue)"])
        }
    }
}
