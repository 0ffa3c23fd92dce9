package import TrackEngine
import TrackEngineReplay

extension ReplaySourceConfiguration {
    package func makeSources(
        named name: SourceID, _ context: CompositionContext
    ) throws(ConfigurationError) -> [any FixSource] {
        let format = format.flatMap { ReplayFormat(name: $0.rawValue) }
        let files = paths.map { path in
            ReplaySource.Configuration(
                path: path, options: ReplayOptions(format: format), pace: pace, loop: loop)
        }
        if let file = files.first, files.count == 1 { return [try ReplaySource(id: name, configuration: file)] }
        return [ReplaySequence(id: name, files: files)]
    }

    private var pace: ReplayPace {
        switch speed {
        case .times(let factor): .speed(factor)
        case .maximum: .asFastAsPossible
        }
    }
}

/// Several recorded files as one source, one after the other.
struct ReplaySequence: FixSource {
    let id: SourceID
    let files: [ReplaySource.Configuration]

    var timeBase: TimeBase { .fixTime }

    func run(_ output: FixOutput) async throws {
        for file in files {
            try await ReplaySource(id: id, configuration: file).run(output)
            try Task.checkCancellation()
        }
    }
}
