import Logging
import TrackEngine

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
