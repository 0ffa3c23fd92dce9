import Logging
import TrackEngine

/// Writes batches into the files of a directory: carries out what rotation, recovery and retention have decided.
///
/// All calls block. Whatever fails, the writer lets go of everything; the next delivery begins as after a restart, with the
/// state that the directory holds. So there is one way back only, and it is the one that a power cut takes, too.
struct DirectoryWriter: Sendable {
    /// An open directory.
    struct Session {
        let directory: TrackDirectory
        var state: SinkState
        var part: Part?
        var retention = Retention.due

        /// When old files are looked for.
        enum Retention {
            /// Now: a file was finished, or nobody has looked.
            case due
            /// As soon as all files together are too large. The plan remembers the oldest, so that not every delivery has
            /// to list the directory.
            case asNeeded(RetentionPlan)
            /// Files cannot be removed, or not even listed. The next finished file makes it due.
            case whenFileIsFinished
        }

        /// The bytes of the file under way, also of one that the recovery has still to open.
        var partSize: Int64 {
            switch state.file {
            case .none: 0
            case .writing(let progress), .finishing(let progress, _): progress.size
            }
        }

        /// Whether nobody has moved, removed or changed anything.
        var isInPlace: Bool {
            guard directory.isInPlace else { return false }
            guard let part else { return true }
            return directory.isInPlace(part.file) && part.file.size == part.document.progress.size
        }
    }

    /// The file under way.
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
    /// What is to be told of the files.
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

    /// Writes a batch and confirms what the disk has.
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
        return known.receipt.map(Result.success) ?? .failure(DeliveryError(.retry(), "nothing was written"))
    }

    /// Lets go of the directory; the file under way stays, and the next session goes on with it.
    mutating func close() {
        session = nil
    }

    /// The open session, if all of it is still where it was, or a new one. Whoever takes it gives it back when nothing has
    /// failed.
    private mutating func takeSession(newest: Timestamp?) throws(FileFailure) -> Session {
        if let session, session.isInPlace {
            self.session = nil
            return session
        }
        session = nil  // and with it the lock, which the new one takes
        return try openSession(newest: newest)
    }

    // MARK: Writing

    /// Writes as many records as belong into one file, which is another one than before where the rule says so.
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

    /// Begins a file under a name that nothing has. The state knows it before it is made, so that a file
    /// under way is always known.
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
            // Whatever has the name now is not ours, and the next session would take it for that.
            session.state.file = .none
            try save(session.state, in: session.directory)
            throw error
        }
    }

    /// The name with a number above those of all files of that start, finished or under way. A lower one that retention has
    /// freed would make the newest file the oldest.
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

    /// Replaces the state as a whole, so that a power cut leaves the old or the new one.
    func save(_ state: SinkState, in directory: TrackDirectory) throws(FileFailure) {
        try probe(.writeState)
        try directory.replace(Self.stateName, by: Self.newStateName, before: .replaceState) {
            file throws(FileFailure) in try file.write(state.bytes, at: 0)
        }
    }

    static let stateName = ".trackengine.state"
    private static let newStateName = ".trackengine.state.new"
    static let compressedName = ".trackengine.gz.new"
    /// What a process that ends while it writes may leave behind.
    static let temporaryNames = [newStateName, compressedName]
}
