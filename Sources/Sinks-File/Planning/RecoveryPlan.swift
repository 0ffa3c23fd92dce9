/// What is to be done with what a run left behind, before anything is written.
package enum RecoveryPlan: Sendable, Hashable {
    /// Nothing is under way.
    case nothing
    /// The file under way is cut to its settled length, closed again and gone on with.
    case resume(FileProgress)
    /// The file under way holds no settled record: it goes.
    case discard(FileProgress)
    /// The final file is there: the file under way goes, if it is still there.
    case removePart(FileProgress)
    /// The file is complete and lacks its final name.
    case finish(FileProgress, as: String)
    /// The file is complete, and somebody else has taken its final name: it gets another one.
    case finishElsewhere(FileProgress)
    /// The file under way is missing or shorter than what was settled: somebody else has changed it. It is left alone.
    case abandon(FileProgress)

    /// What stands under the final name.
    package enum Final: Sendable, Hashable {
        /// Nothing.
        case missing
        /// The complete file.
        case ours
        /// Something that somebody else has put there.
        case foreign
    }

    /// The plan for a state and what is found in the directory.
    ///
    /// - Parameters:
    ///   - partSize: the size in bytes of the file under way; `nil` if there is none.
    ///   - final: what stands under the final name.
    package init(_ state: SinkState.File, partSize: Int64?, final: Final) {
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
