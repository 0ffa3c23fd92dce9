import Logging
package import TrackEngine
import TrackEngineReplay

extension ReplaySourceConfiguration {
    package func makeSources(
        named name: SourceID, _ context: CompositionContext
    ) throws(ConfigurationError) -> [any FixSource] {
        let options = ReplayOptions(format: format.flatMap { ReplayFormat(name: $0.rawValue) })
        let problems = paths.compactMap { path in problem(path, options, of: name) }
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
        let files = paths.map { path in
            ReplaySource.Configuration(path: path, options: options, pace: pace, loop: loop, startsOver: startsOver)
        }
        if let file = files.first, files.count == 1 { return [try ReplaySource(id: name, configuration: file)] }
        return [ReplaySequence(id: name, files: files, logger: context.logger)]
    }

    /// What is wrong with a path for good. A file that is missing may come, and the source waits for it; a pipe or device
    /// is left alone, since what is read from it is gone.
    private func problem(_ path: String, _ options: ReplayOptions, of name: SourceID) -> ConfigurationProblem? {
        guard let kind = FileStatus.following(path)?.kind, [.regular, .directory].contains(kind) else { return nil }
        func problem(_ expectation: String) -> ConfigurationProblem {
            ConfigurationProblem(
                key: "sources.\(name).path", value: path.quoted(atMost: 200), expectation: expectation)
        }
        do throws(ReplayError) {
            _ = try ReplayFile(path: path, options: options).next()
            return nil
        } catch {
            switch error.code {
            case .missing: return nil
            case .unreadable: return problem("a file that can be read (\(error.reason))")
            case .unknownFormat: return problem("a file of one of the formats \(Self.formats)")
            }
        }
    }

    private static let formats = ReplayFormat.allCases.map(\.name).joined(separator: ", ")

    private var pace: ReplayPace {
        switch speed {
        case .times(let factor): .speed(factor)
        case .maximum: .asFastAsPossible
        }
    }
}

/// Several recorded files as one recording, in their order.
struct ReplaySequence: RecordedSource {
    let id: SourceID
    let files: [ReplaySource.Configuration]
    let logger: Logger

    var timeBase: TimeBase { .fixTime }

    func run(_ output: FixOutput) async throws { try await run(output, from: 0) }

    func holds(_ fix: Fix) async throws -> Bool { try await index(of: fix) != nil }

    func run(_ output: FixOutput, after fix: Fix) async throws {
        guard let index = try await index(of: fix) else { return try await run(output) }
        if index > 0 {
            // They may have been put before a file that was taken alone.
            logger.warning(
                "the last record is of a later file, earlier files are passed over",
                metadata: ["source": "\(id)", "files": "\(index)"])
        }
        try await source(index).run(output, after: fix)
        try await run(output, from: index + 1)
    }

    private func run(_ output: FixOutput, from first: Int) async throws {
        for index in files.indices.dropFirst(first) {
            try Task.checkCancellation()
            try await source(index).run(output)
        }
        try Task.checkCancellation()
    }

    private func source(_ index: Int) throws -> ReplaySource { try ReplaySource(id: id, configuration: files[index]) }

    /// The first file that has this fix.
    private func index(of fix: Fix) async throws -> Int? {
        for index in files.indices where try await source(index).holds(fix) { return index }
        return nil
    }
}
