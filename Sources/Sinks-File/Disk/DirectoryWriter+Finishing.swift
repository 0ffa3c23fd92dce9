import Logging
import TrackEngine

extension DirectoryWriter {
    /// Gives the file under way its final name, compressed where that is wanted. Its document is complete already.
    mutating func finish(in session: inout Session) throws(FileFailure) {
        guard let progress = session.part?.document.progress else { return }
        session.part = nil
        try finish(progress, in: &session)
    }

    /// The same for a complete file that is not open.
    mutating func finish(_ progress: FileProgress, in session: inout Session) throws(FileFailure) {
        let name = try finalName(of: progress.name, in: session.directory)
        session.state.file = .finishing(progress, as: name)
        try save(session.state, in: session.directory)
        try complete(progress, as: name, in: &session)
    }

    /// The name was free when the file was begun; if somebody has taken it since, the next one is.
    private func finalName(of name: TrackFileName, in directory: TrackDirectory) throws(FileFailure) -> String {
        let finished = name.finished(compressed: configuration.gzip)
        guard try directory.has(finished) else { return finished }
        return try freeName(like: name, in: directory).finished(compressed: configuration.gzip)
    }

    /// What is left to do once the state names the final file; can be repeated until that is there.
    mutating func complete(_ progress: FileProgress, as name: String, in session: inout Session) throws(FileFailure) {
        let directory = session.directory
        if name.hasSuffix(".gz") {
            let part = try directory.openExisting(progress.name.part)
            let compressed = try directory.createAnew(Self.compressedName)
            try GzipFile.compress(part, to: compressed, probe: probe)
            try compressed.sync()
            try probe(.rename)
            try directory.rename(Self.compressedName, to: name)
            try directory.remove(progress.name.part)
        } else {
            try probe(.rename)
            try directory.rename(progress.name.part, to: name)
        }
        session.state.file = .none
        try save(session.state, in: directory)
        session.isRetentionDue = true
        status.finishedFiles += 1
        logger.info("a file is finished", metadata: ["file": "\(name)", "records": "\(progress.records)"])
    }

    private static let compressedName = ".trackengine.gz.new"
}

// MARK: Retention

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
