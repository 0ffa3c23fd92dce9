import Logging
import TrackEngine

/// Writes batches into the files of a directory, and carries out the decisions of rotation, recovery and retention.
///
/// All calls block. After any failure the writer closes everything. The next delivery begins as after a restart,
/// with the state saved in the directory. So there is only one way of recovery, the same as after a power cut.
struct DirectoryWriter: Sendable {
    /// An open directory.
    struct Session {
        let directory: TrackDirectory
        var state: SinkState
        var part: Part?
        var retention = Retention.due

        /// The time of the next check for old files.
        enum Retention {
            /// Now: a file was finished, or there was no check yet.
            case due
            /// As soon as the total size is too large. The plan remembers the oldest files, so not every delivery
            /// lists the directory.
            case asNeeded(RetentionPlan)
            /// Files cannot be removed, or the directory cannot be listed. The next finished file makes the check
            /// due.
            case whenFileIsFinished
        }

        /// The size of the current file in bytes, even before the recovery has opened it.
        var partSize: Int64 {
            switch state.file {
            case .none: 0
            case .writing(let progress), .finishing(let progress, _): progress.size
            }
        }

        /// Whether the directory and the current file were not moved, removed or changed by others.
        var isInPlace: Bool {
            guard directory.isInPlace else { return false }
            guard let part else { return true }
            return directory.isInPlace(part.file) && part.file.size == part.document.progress.size
        }
    }

    /// The current file.
    struct Part {
        let file: OpenFile
        var document: TrackDocument
    }

    let configuration: FileSink.Configuration
    let rule: RotationRule
    let probe: FileProbe
    /// The machine's wall clock.
    let now: @Sendable () -> Timestamp
    let logger: Logger
    private var session: Session?
    var status = FileSinkStatus()

    init(
        _ configuration: FileSink.Configuration, logger: Logger, now: @escaping @Sendable () -> Timestamp,
        probe: @escaping FileProbe
    ) {
        self.configuration = configuration
        rule = RotationRule(configuration.rotation, maximumSize: configuration.fileSize)
        self.now = now
        self.probe = probe
        self.logger = logger
    }

    /// Writes a batch and confirms the records on the disk.
    mutating func deliver(_ batch: RecordBatch) -> Result<Receipt, DeliveryError> {
        var known = PendingRecords(batch, recent: [], format: configuration.format)
        do throws(FileFailure) {
            let newest = batch.records.last?.fix.time
            var session = try takeSession(newest: newest)
            known = PendingRecords(batch, recent: session.state.recent, format: configuration.format)
            while !known.rest.isEmpty { try write(&known, in: &session) }
            if let newest { runRetention(in: &session, newest: newest) }
            status.show(session.part?.document.progress)
            self.session = session
        } catch {
            logger.warning("the directory cannot be written to", metadata: ["reason": "\(error)"])
            if known.receipt == nil { return .failure(DeliveryError(.retry(), "\(error)")) }
        }
        return known.receipt.map(Result.success) ?? .failure(DeliveryError(.retry(), "no record was written"))
    }

    /// Closes the directory; the current file stays, and the next session continues it.
    mutating func close() {
        session = nil
    }

    /// Takes the open session if all of it is still in place, or opens a new one. The caller stores it again after
    /// success.
    private mutating func takeSession(newest: Timestamp?) throws(FileFailure) -> Session {
        if let session, session.isInPlace {
            self.session = nil
            return session
        }
        session = nil  // this releases the lock, which the new session takes
        return try openSession(newest: newest)
    }

    // MARK: Writing

    /// Writes the records that belong into one file; by the rotation rule that may be a new one.
    private mutating func write(_ pending: inout PendingRecords, in session: inout Session) throws(FileFailure) {
        guard let record = pending.rest.first else { return }
        if let progress = session.part?.document.progress, rule.closes(progress, before: record) {
            try finish(in: &session)
        }
        if session.part == nil { try begin(with: record, in: &session) }
        guard var part = session.part else { return }
        let addition = part.document.add(pending.rest, by: rule)
        guard addition.count > 0 else { return try finish(in: &session) }
        try part.file.write(addition.bytes, at: addition.offset)
        try part.file.sync()
        var settled = pending
        settled.settle(addition.count)
        session.part = part
        session.state = SinkState(file: .writing(part.document.progress), recent: settled.known)
        try save(session.state, in: session.directory)
        pending = settled
    }

    /// Begins a file under a free name. The name is in the state before the file is created, so the current file is
    /// always known.
    private func begin(with record: TrackRecord, in session: inout Session) throws(FileFailure) {
        let first = TrackFileName(
            prefix: configuration.prefix, start: rule.start(of: record), format: configuration.format)
        let name = try freeName(like: first, in: session.directory)
        session.state.file = .writing(FileProgress(name: name))
        try save(session.state, in: session.directory)
        do throws(FileFailure) {
            let file = try session.directory.create(name.part)
            session.part = Part(file: file, document: TrackDocument(beginning: name))
        } catch {
            // The file with this name is not ours, and the next session would take it for ours.
            session.state.file = .none
            try save(session.state, in: session.directory)
            throw error
        }
    }

    /// The name with a number above those of all files with this start, finished or current. A lower number that
    /// retention has freed would make the newest file the oldest.
    func freeName(like first: TrackFileName, in directory: TrackDirectory) throws(FileFailure) -> TrackFileName {
        var highest = 0
        try directory.forEachName { entry in
            let name = TrackFileName(finished: entry) ?? TrackFileName(part: entry)
            if let name, name.sharesNumbers(with: first) { highest = max(highest, name.number) }
        }
        guard highest < TrackFileName.numbers.upperBound else {
            throw FileFailure(
                "\(directory.path) has a file with the number \(highest) of \(first.start): no higher one can be named")
        }
        var name = first
        name.number = highest + 1
        return name
    }

    /// Replaces the whole state, so a power cut leaves either the old or the new one.
    func save(_ state: SinkState, in directory: TrackDirectory) throws(FileFailure) {
        try probe(.writeState)
        try directory.replace(Self.stateName, by: Self.newStateName, before: .replaceState) {
            file throws(FileFailure) in try file.write(state.bytes, at: 0)
        }
    }

    static let stateName = ".trackengine.state"
    private static let newStateName = ".trackengine.state.new"
    static let compressedName = ".trackengine.gz.new"
    /// Files that may remain of a process that ends while it writes.
    static let temporaryNames = [newStateName, compressedName]
}
