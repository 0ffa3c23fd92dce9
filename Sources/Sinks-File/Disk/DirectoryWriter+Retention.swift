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
        do throws(FileFailure) {
            var isPartial = true
            while isPartial {
                let plan = try retentionPlan(for: session, maximumBytes: limit)
                let removals = plan.removals(newest: min(newest, now()), partSize: partSize)
                for file in removals { try session.directory.remove(file.name) }
                isPartial = plan.isPartial(removals)
                status.keptFiles = plan.count - removals.count
                status.keptBytes = plan.bytes - removals.reduce(0) { $0 + $1.size }
                status.removedFiles += removals.count
            }
        } catch {
            logger.warning("old files cannot be removed", metadata: ["reason": "\(error)"])
        }
    }

    private func retentionPlan(for session: Session, maximumBytes: Int64?) throws(FileFailure) -> RetentionPlan {
        // Under its final name already, it still counts as the file under way, and recovery looks for it.
        let finishing: String? = if case .finishing(_, let name) = session.state.file { name } else { nil }
        let age: Duration? = configuration.keepDays > 0 ? .seconds(86_400 * Int64(configuration.keepDays)) : nil
        var plan = RetentionPlan(maximumAge: age, maximumBytes: maximumBytes)
        try session.directory.forEachName { entry throws(FileFailure) in
            guard entry != finishing, let name = TrackFileName(finished: entry), name.prefix == configuration.prefix,
                let start = name.startTime, let size = try session.directory.size(of: entry)
            else { return }
            plan.add(RetentionPlan.File(name: entry, start: start, number: name.number, size: size))
        }
        return plan
    }
}
