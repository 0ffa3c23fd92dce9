import Logging
import TrackEngine

extension DirectoryWriter {
    /// Removes finished files of the sink that are too old or too many, if that may be due. What cannot be removed stays
    /// for a later round, and others go in its place: records are not refused for its sake.
    ///
    /// - Parameter newest: the time of the newest record. Age counts to it or to the machine's clock, whichever is earlier:
    ///   one of them that is ahead, as a wrong fix or a clock without a battery can be, removes nothing.
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

    /// Looks at every file of the directory.
    private mutating func runRound(in session: inout Session, newest: Timestamp) {
        let age: Duration? = configuration.keepDays > 0 ? .seconds(86_400 * Int64(configuration.keepDays)) : nil
        var plan = RetentionPlan(
            newest: min(newest, now()), maximumAge: age,
            maximumBytes: configuration.maxBytes > 0 ? configuration.maxBytes : nil, partSize: session.partSize)
        var outcome = RetentionOutcome()
        session.retention = .whenFileIsFinished
        do throws(FileFailure) {
            try removeFiles(by: &plan, in: session, &outcome)
            // Where files are in the way that cannot be removed, the next delivery could remove no more.
            if plan.excess <= 0 || outcome.unremovable == nil { session.retention = .asNeeded(plan) }
            show(plan, outcome, in: session)
        } catch {
            logger.warning("the directory cannot be listed to remove old files", metadata: ["reason": "\(error)"])
        }
        status.removedFiles += outcome.removedCount
        outcome.log(to: logger)
    }

    /// Shows what is kept, and what could not be removed.
    private mutating func show(_ plan: RetentionPlan, _ outcome: RetentionOutcome, in session: Session) {
        status.keptFiles = plan.count
        status.keptBytes = plan.bytes
        if !isStillThere(status.unremovable, after: outcome, in: session) { status.unremovable = outcome.unremovable }
    }

    /// Goes through the directory as often as the plan wants it.
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

    /// Whether a file that could not be removed is still in the way, after a round that had nothing to remove: others have
    /// gone in its place.
    private func isStillThere(
        _ unremovable: UnremovableFiles?, after outcome: RetentionOutcome, in session: Session
    ) -> Bool {
        guard let unremovable, outcome.isEmpty else { return false }
        // What cannot be looked up is there for all that is known.
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

    /// A name of the directory as a finished file of the sink; `nil` for everything else, and for what cannot be looked up.
    private func finishedFile(
        _ entry: String, in session: Session, isFirstPass: Bool, _ outcome: inout RetentionOutcome
    ) -> RetentionPlan.File? {
        // Under its final name already, it still counts as the file under way, and recovery looks for it.
        if case .finishing(_, entry) = session.state.file { return nil }
        guard let name = TrackFileName(finished: entry), name.prefix == configuration.prefix, let start = name.startTime
        else { return nil }
        do throws(FileFailure) {
            return try session.directory.regularFile(entry).map { file in
                // A change in the future is one by a wrong clock; it would keep the file for ever.
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
