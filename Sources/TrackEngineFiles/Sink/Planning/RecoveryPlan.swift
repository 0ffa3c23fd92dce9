/// The action for the files of an earlier run, before any other write.
package enum RecoveryPlan: Sendable, Hashable {
    /// No file is in progress.
    case nothing
    /// Truncate the current file to its settled length, close the document again and continue it.
    case resume(FileProgress)
    /// Remove the current file, which has no settled record.
    case discard(FileProgress)
    /// Remove the current file if it still exists; the final file exists.
    case removePart(FileProgress)
    /// Give the complete file its final name.
    case finish(FileProgress, as: String)
    /// Give the complete file another name; its final name is taken by another program.
    case finishElsewhere(FileProgress)
    /// Leave the current file alone: it is missing or shorter than its settled length, so another program has
    /// changed it.
    case abandon(FileProgress)

    /// The file with the final name.
    package enum Target: Sendable, Hashable {
        /// There is no such file.
        case missing
        /// The complete file.
        case ours
        /// A file of another program.
        case foreign
    }

    /// The plan for a state and the files in the directory.
    ///
    /// - Parameters:
    ///   - partSize: the size in bytes of the current file; `nil` if there is none.
    ///   - final: the file with the final name.
    package init(_ state: SinkState.File, partSize: Int64?, final: Target) {
        switch state {
        case .none: self = .nothing
        case .writing(let progress):
            if progress.records == 0 {
                self = partSize == nil ? .nothing : .discard(progress)
            } else {
                self = (partSize ?? -1) >= progress.length ? .resume(progress) : .abandon(progress)
            }
        case .finishing(let progress, let name):
            let isShort = (partSize ?? -1) < progress.size
            switch final {
            case .ours: self = .removePart(progress)
            case .missing: self = isShort ? .abandon(progress) : .finish(progress, as: name)
            case .foreign: self = isShort ? .abandon(progress) : .finishElsewhere(progress)
            }
        }
    }
}
