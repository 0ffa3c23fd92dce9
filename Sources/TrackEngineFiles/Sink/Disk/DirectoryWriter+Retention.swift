import Logging
import TrackEngine

extension DirectoryWriter {
    /// Removes finished files of the sink that are too old or too large in total, if that may be due. A file that
    /// cannot be removed stays for a later round, and others are removed instead: no records are refused for this.
    ///
    /// - Parameter newest: the time of the newest record. Ages are relative to it or to the machine's clock,
    ///   whichever is earlier. So neither a wrong fix nor a clock without a battery removes files by being ahead.
    mutating func runRetention(in session: inout Session, newest: Timestamp) {
        switch session.retention {
        case .due: break
        case .asNeeded(var plan):
            plan.partSize = session.partSize
            guard plan.excess > 0, plan.count > 0 else { return }
            var outcome = RetentionOutcome()
            removeOldest(by: &plan, in: session, &outcome)
            show(plan, outcome, in: session)
            status.removedFiles += outcome.removedCount
            outcome.log(to: logger)
            session.retention = .asNeeded(plan)
            guard plan.excess > 0, plan.count > 0 else { return }
        case .whenFileIsFinished: return
        }
        runRound(in: &session, newest: newest)
    }

    /// Checks every file of the directory.
    private mutating func runRound(in session: inout Session, newest: Timestamp) {
        let age: Duration? = configuration.keepDays > 0 ? .seconds(86_400 * Int64(configuration.keepDays)) : nil
        var plan = RetentionPlan(
            newest: min(newest, now()), maximumAge: age,
            maximumBytes: configuration.maxBytes > 0 ? configuration.maxBytes : nil, partSize: session.partSize)
        var outcome = RetentionOutcome()
        session.retention = .whenFileIsFinished
        do throws(FileFailure) {
            try removeFiles(by: &plan, in: session, &outcome)
            // If files that cannot be removed are in the way, the next delivery could not remove more either.
            if plan.excess <= 0 || outcome.unremovable == nil { session.retention = .asNeeded(plan) }
            show(plan, outcome, in: session)
        } catch {
            logger.warning("the directory cannot be listed to remove old files", metadata: ["reason": "\(error)"])
        }
        status.removedFiles += outcome.removedCount
        outcome.log(to: logger)
    }

    /// Shows the remaining files in the status, and those that could not be removed.
    private mutating func show(_ plan: RetentionPlan, _ outcome: RetentionOutcome, in session: Session) {
        status.keptFiles = plan.count
        status.keptBytes = plan.bytes
        if !isStillThere(status.unremovable, after: outcome, in: session) { status.unremovable = outcome.unremovable }
    }

    /// Lists the directory as often as the plan requires.
    private func removeFiles(
        by plan: inout RetentionPlan, in session: Session, _ outcome: inout RetentionOutcome
    ) throws(FileFailure) {
        repeat {
            try session.directory.forEachName { entry throws(FileFailure) in
                guard let file = finishedFile(entry, in: session, isFirstPass: plan.passes == 0, &outcome),
                    let reason = plan.examine(file)
                else { return }
                remove(file, reason, in: session, &plan, &outcome)
            }
            removeOldest(by: &plan, in: session, &outcome)
        } while plan.beginsAnotherPass()
    }

    private func removeOldest(
        by plan: inout RetentionPlan, in session: Session, _ outcome: inout RetentionOutcome
    ) {
        while let file = plan.nextRemoval() { remove(file, .size, in: session, &plan, &outcome) }
    }

    /// Whether a file that could not be removed is still in the way, after a round without removals: others were
    /// removed instead.
    private func isStillThere(
        _ unremovable: RetentionError?, after outcome: RetentionOutcome, in session: Session
    ) -> Bool {
        guard let unremovable, outcome.isEmpty else { return false }
        // If the lookup fails, the file is assumed to exist.
        return (try? session.directory.has(unremovable.name)) ?? true
    }

    private func remove(
        _ file: RetentionPlan.File, _ reason: RetentionPlan.Reason, in session: Session, _ plan: inout RetentionPlan,
        _ outcome: inout RetentionOutcome
    ) {
        do throws(FileFailure) {
            try session.directory.remove(file.name)
            outcome.add(file, reason)
        } catch {
            plan.keep(file)
            outcome.add(file.name, error)
        }
    }

    /// An entry of the directory as a finished file of the sink; `nil` for all others, and for entries that cannot
    /// be looked up.
    private func finishedFile(
        _ entry: String, in session: Session, isFirstPass: Bool, _ outcome: inout RetentionOutcome
    ) -> RetentionPlan.File? {
        // A file being finished still counts as the current file, even under its final name, and recovery looks for
        // it.
        if case .finishing(_, entry) = session.state.file { return nil }
        guard let name = TrackFileName(finished: entry), name.prefix == configuration.prefix, let start = name.startTime
        else { return nil }
        do throws(FileFailure) {
            return try session.directory.regularFile(entry).map { file in
                // A modification time in the future is from a wrong clock, and would keep the file forever.
                RetentionPlan.File(
                    name: entry, start: start, modified: file.modified,
                    isOpenEnded: name.isOpenEnded && file.modified <= now(), number: name.number, size: file.size)
            }
        } catch {
            if isFirstPass { outcome.add(entry, error) }
            return nil
        }
    }
}
