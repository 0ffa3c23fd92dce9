import Logging
import TrackEngine

extension DirectoryWriter {
    /// Gives the current file its final name, compressed if configured. Its document is complete already.
    mutating func finish(in session: inout Session) throws(FileFailure) {
        guard let progress = session.part?.document.progress else { return }
        session.part = nil
        try finish(progress, in: &session)
    }

    /// Finishes a complete file that is not open.
    mutating func finish(_ progress: FileProgress, in session: inout Session) throws(FileFailure) {
        let name = try finalName(of: progress.name, in: session.directory)
        session.state.file = .finishing(progress, as: name)
        try save(session.state, in: session.directory)
        try complete(progress, as: name, in: &session)
    }

    /// The final name. It was free when the file was begun; if it is taken meanwhile, the next free name.
    private func finalName(of name: TrackFileName, in directory: TrackDirectory) throws(FileFailure) -> String {
        let finished = name.finished(compressed: configuration.gzip)
        guard try directory.has(finished) else { return finished }
        return try freeName(like: name, in: directory).finished(compressed: configuration.gzip)
    }

    /// Completes the finishing once the state contains the final name; can be repeated until the final file exists.
    mutating func complete(_ progress: FileProgress, as name: String, in session: inout Session) throws(FileFailure) {
        let directory = session.directory
        if name.hasSuffix(".gz") {
            let part = try directory.openExisting(progress.name.part)
            try directory.replace(name, by: Self.compressedName, before: .rename) { file throws(FileFailure) in
                try FileCompression.compress(part, to: file, probe: probe)
                try requireFree(name, in: directory)
            }
            try directory.remove(progress.name.part)
        } else {
            try probe(.rename)
            try requireFree(name, in: directory)
            try directory.rename(progress.name.part, to: name)
        }
        session.state.file = .none
        try save(session.state, in: directory)
        session.retention = .due
        status.finishedFiles += 1
        logger.info("a file is finished", metadata: ["file": "\(name)", "records": "\(progress.records)"])
    }

    /// Throws if another program has taken the name since it was chosen: compression takes time. The next session
    /// chooses another name.
    private func requireFree(_ name: String, in directory: TrackDirectory) throws(FileFailure) {
        guard try directory.has(name) else { return }
        throw FileFailure("cannot make \(name): another program has made a file of that name")
    }
}
