import TrackEngine
import TrackEngineSettings

/// The sinks' own directories.
extension StatePaths {
    /// The directories that no sink can ever write to, or that another part of the agent uses.
    ///
    /// A directory that is missing, full or not writable is left to the sink, which waits for it: the disk may not be
    /// there yet.
    ///
    /// - Parameter said: directories that have been reported as unusable.
    func sinkDirectoryProblems(saidOf said: [String]) -> [ConfigurationProblem] {
        var taken: Set<String> = []
        return sinks.compactMap { sink in
            guard let directory = sink.directory, !said.contains(where: { directory.hasPrefix($0 + "/") }) else {
                return nil
            }
            let place = resolved(directory)
            let isTaken = !taken.insert(place).inserted
            let expectation =
                isTaken ? SinkConfiguration.expectationOfDirectory : expectation(of: directory, at: place)
            return expectation.map { problem(sink, directory, $0) }
        }
    }

    /// Files that sinks cannot use. The agent runs nevertheless: the records wait until the problem is solved.
    var sinkFileProblems: [ReportedProblem] {
        sinks.compactMap { sink in
            guard let directory = sink.directory, let expectation = sink.expectationOfFiles else { return nil }
            let problem = problem(sink, directory, expectation)
            return ReportedProblem(places.origin(of: problem.key), problem)
        }
    }

    private func problem(_ sink: SinkConfiguration, _ directory: String, _ expectation: String) -> ConfigurationProblem
    {
        ConfigurationProblem(
            key: "sinks.\(sink.name).directory", value: directory.quoted(atMost: 200), expectation: expectation)
    }

    /// The expectation that a sink's directory does not meet.
    ///
    /// - Parameter place: the directory with links resolved.
    private func expectation(of directory: String, at place: String) -> String? {
        if let expectation = Self.expectation(ofLengthOf: directory) { return expectation }
        if place == resolved(store) { return "a directory other than the store's" }
        if isInStoreFile(place) { return "a path that is none of the store's files" }
        if let socket, place == resolved(socket) { return "a path other than the control socket's" }
        if let status = FileStatus.following(directory) { return status.kind == .directory ? nil : "a directory" }
        var above = directory.directory
        while FileStatus.at(above) == nil, above != above.directory { above = above.directory }
        // A link without a target may lead to a disk that is not mounted.
        guard let status = FileStatus.following(above), status.kind != .directory else { return nil }
        return "a directory that can be made: \(above.quoted(atMost: 200)) is none"
    }
}
