import TrackEngine
import TrackEngineSettings

/// The directories that sinks have for themselves.
extension StatePlaces {
    /// Those in which no sink can ever write, or which belong to somebody else of the agent.
    ///
    /// One that is missing, full or not writable is left to the sink, which waits for it: the disk may not be there yet.
    ///
    /// - Parameter said: directories of which it has been said that they cannot be used.
    func sinkDirectoryProblems(saidOf said: [String]) -> [ConfigurationProblem] {
        var taken: Set<String> = []
        return sinks.compactMap { sink in
            guard let claim = sink.kind.claim, let directory = claim.directory,
                !said.contains(where: { directory.hasPrefix($0 + "/") })
            else { return nil }
            let place = resolved(directory)
            let isTaken = !taken.insert(place).inserted
            guard let expectation = isTaken ? claim.expectation : expectation(of: directory, at: place) else {
                return nil
            }
            return ConfigurationProblem(
                key: "sinks.\(sink.name).\(claim.key)", value: directory.quoted(atMost: 200), expectation: expectation)
        }
    }

    /// Files that sinks cannot use. The agent runs all the same: their records wait until somebody has mended it.
    var sinkFileProblems: [LocatedProblem] {
        sinks.compactMap { sink in
            guard let claim = sink.kind.claim, let directory = claim.directory,
                let expectation = sink.kind.expectationOfFiles
            else { return nil }
            let problem = ConfigurationProblem(
                key: "sinks.\(sink.name).\(claim.key)", value: directory.quoted(atMost: 200), expectation: expectation)
            return LocatedProblem(places.origin(of: problem.key), problem)
        }
    }

    /// What a sink's directory should be and is not.
    ///
    /// - Parameter place: the directory without links.
    private func expectation(of directory: String, at place: String) -> String? {
        if let expectation = Self.expectation(ofLengthOf: directory) { return expectation }
        if place == resolved(store) { return "a directory other than the store's" }
        if isInStoreFile(place) { return "a path that is none of the store's files" }
        if let socket, place == resolved(socket) { return "a path other than the control socket's" }
        if let status = FileStatus.following(directory) { return status.kind == .directory ? nil : "a directory" }
        var above = directory.directory
        while FileStatus.at(above) == nil, above != above.directory { above = above.directory }
        // A link that leads nowhere may lead to a disk that is not mounted.
        guard let status = FileStatus.following(above), status.kind != .directory else { return nil }
        return "a directory that can be made: \(above.quoted(atMost: 200)) is none"
    }
}
