import Measure
import TrackEngine

/// A track through the public face of the engine into a store in memory.
public final class TrackerWorkload {
    private let fixes: [Fix]
    private let batchLength: Int

    /// So many fixes, handed over in batches of this length.
    public init(count: Int, batchLength: Int) {
        fixes = SampleTrack.fixes(count)
        self.batchLength = batchLength
    }

    /// The whole track in one run of a tracker.
    public func run() -> Contender {
        Contender(units: fixes.count) { [self] in
            let (ended, end) = AsyncStream<Never>.makeStream()
            let source = BatchSource(fixes: fixes, batchLength: batchLength, end: end)
            let tracker = try Tracker(
                configuration: .init(device: "van-7", store: InMemoryFixStore(), sources: [source]))
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await tracker.run() }
                for await _ in ended {}  // before the run has begun there is nothing to wait for
                await tracker.sourcesFinished()
                await tracker.stop()
                try await group.waitForAll()
            }
        }
    }
}

/// Hands a track over as fast as it is taken.
private struct BatchSource: FixSource {
    let fixes: [Fix]
    let batchLength: Int
    let end: AsyncStream<Never>.Continuation

    var id: SourceID { "memory" }
    var timeBase: TimeBase { .fixTime }

    func run(_ output: FixOutput) async throws {
        for start in stride(from: 0, to: fixes.count, by: batchLength) {
            try await output.emit(contentsOf: Array(fixes[start..<min(start + batchLength, fixes.count)]))
        }
        end.finish()
    }
}
