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
        do throws(FileFailure) {
            try removeFiles(by: &plan, in: session)
            status.keptFiles = plan.count
            status.keptBytes = plan.bytes
        } catch {
            logger.warning("old files cannot be removed", metadata: ["reason": "\(error)"])
        }
    }

    /// Goes through the directory as often as the plan wants it.
    private mutating func removeFiles(by plan: inout RetentionPlan, in session: Session) throws(FileFailure) {
        var removed = 0
        defer { status.removedFiles += removed }
        while true {
            try session.directory.forEachName { entry throws(FileFailure) in
                guard let file = try finishedFile(entry, in: session), plan.examine(file) != nil else { return }
                try session.directory.remove(file.name)
                removed += 1
            }
            let end = plan.endPass()
            for file in end.removals {
                try session.directory.remove(file.name)
                removed += 1
            }
            if case .done = end { return }
        }
    }

    /// A name of the directory as a finished file of the sink; `nil` for everything else.
    private func finishedFile(_ entry: String, in session: Session) throws(FileFailure) -> RetentionPlan.File? {
        // Under its final name already, it still counts as the file under way, and recovery looks for it.
        if case .finishing(_, entry) = session.state.file { return nil }
        guard let name = TrackFileName(finished: entry), name.prefix == configuration.prefix,
            let start = name.startTime, let size = try session.directory.size(of: entry)
        else { return nil }
        return RetentionPlan.File(name: entry, start: start, number: name.number, size: size)
    }
}
