import Logging
import TrackEngine

extension DirectoryWriter {
    /// Opens the directory and brings it into the state in which the last run would have left it.
    ///
    /// - Parameter newest: the time of the newest record to write.
    mutating func openSession(newest: Timestamp?) throws(FileFailure) -> Session {
        let directory = try TrackDirectory(path: configuration.directory, probe: probe)
        // The last run may have renamed the state and ended before the name was on the disk. Records are confirmed
        // by the state, so it must be on the disk first.
        try directory.sync()
        for name in Self.temporaryNames where try directory.size(of: name) != nil { try directory.remove(name) }
        var session = Session(directory: directory, state: try readState(in: directory))
        // On a full disk no write or recovery succeeds before a file is removed.
        if let newest { runRetention(in: &session, newest: newest) }
        session.retention = .due
        try recover(in: &session)
        return session
    }

    /// The state saved in the directory; an empty one if there is none or it is unreadable.
    private func readState(in directory: TrackDirectory) throws(FileFailure) -> SinkState {
        guard try directory.has(Self.stateName) else { return SinkState() }
        let bytes = try directory.openExisting(Self.stateName).contents(atMost: SinkState.maximumSize)
        if let state = bytes.flatMap(SinkState.init) { return state }
        logger.error(
            "the state of the directory cannot be used; files under way stay as they are",
            metadata: ["file": "\(Self.stateName)"])
        return SinkState()
    }

    private mutating func recover(in session: inout Session) throws(FileFailure) {
        let directory = session.directory
        switch try plan(for: session.state.file, in: directory) {
        case .nothing: session.state.file = .none
        case .resume(let progress):
            let file = try directory.openExisting(progress.name.part)
            try file.write(progress.closing, at: progress.length)
            try file.sync()
            session.part = Part(file: file, document: TrackDocument(continuing: progress))
            if !isOfThisConfiguration(progress) { try finish(in: &session) }
        case .discard(let progress), .removePart(let progress):
            try directory.remove(progress.name.part)
            session.state.file = .none
            try save(session.state, in: directory)
        case .finish(let progress, let name):
            try complete(progress, as: name, in: &session)
        case .finishElsewhere(let progress):
            try finish(progress, in: &session)
        case .abandon(let progress):
            logger.error(
                "an unfinished file is missing or shorter than its confirmed part; it is left as it is",
                metadata: ["file": "\(progress.name.part)"])
            // Records in it that the store has not settled may exist nowhere else, so they must be written again.
            session.state = SinkState()
            try save(session.state, in: directory)
        }
    }

    private func plan(
        for state: SinkState.File, in directory: TrackDirectory
    ) throws(FileFailure) -> RecoveryPlan {
        switch state {
        case .none: return RecoveryPlan(state, partSize: nil, final: .missing)
        case .writing(let progress):
            return RecoveryPlan(state, partSize: try directory.size(of: progress.name.part), final: .missing)
        case .finishing(let progress, let name):
            let partSize = try directory.size(of: progress.name.part)
            let final = try final(of: progress, name, isAlone: partSize == nil, in: directory)
            return RecoveryPlan(state, partSize: partSize, final: final)
        }
    }

    /// Determines the file with the final name. Without compression the current file itself is renamed: if both
    /// exist, the other one is foreign. A compressed file is ours if it has the contents of the current file.
    private func final(
        of progress: FileProgress, _ name: String, isAlone: Bool, in directory: TrackDirectory
    ) throws(FileFailure) -> RecoveryPlan.Target {
        guard try directory.has(name) else { return .missing }
        if isAlone { return .ours }
        guard name.hasSuffix(".gz"), try directory.size(of: name) != nil else { return .foreign }
        let part = try directory.openExisting(progress.name.part)
        return try FileCompression.holds(part, try directory.openExisting(name)) ? .ours : .foreign
    }

    /// Whether the sink would write such a file with the present configuration; otherwise the file is finished.
    private func isOfThisConfiguration(_ progress: FileProgress) -> Bool {
        let length = progress.name.start.utf8.count
        let isOfThisRotation =
            switch configuration.rotation {
            case .day: length == 10
            case .hour: length == 14
            case .trip, .size: length == 18
            }
        return progress.name.format == configuration.format && progress.name.prefix == configuration.prefix
            && isOfThisRotation
    }
}
