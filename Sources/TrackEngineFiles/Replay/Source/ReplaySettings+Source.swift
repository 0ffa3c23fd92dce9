package import TrackEngine
package import TrackEngineSettings

extension ReplaySettings {
    package func makeSources(
        named name: SourceID, _ context: PluginContext
    ) throws(ConfigurationError) -> [any FixSource] {
        let options = ReplayOptions(
            format: format.flatMap { ReplayFormat(name: $0.rawValue) }, startDate: date,
            zone: ZoneOffsetTable(name: timeZone) ?? .utc)
        let problems = paths.compactMap { path in problem(path, options) }
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
        let files = paths.map { path in
            ReplaySource.Configuration(path: path, options: options, pace: pace, loop: loop, startsOver: startsOver)
        }
        if let file = files.first, files.count == 1 { return [try ReplaySource(id: name, configuration: file)] }
        return [ReplaySequence(id: name, files: files, logger: context.logger)]
    }

    /// Returns the permanent problem of a path. A missing file is no problem, because the source waits for it. A pipe
    /// or device is not opened, because bytes that are read from it are lost.
    private func problem(_ path: String, _ options: ReplayOptions) -> ConfigurationProblem? {
        guard Self.isFileOrDirectory(path) else { return nil }
        func problem(_ expectation: String) -> ConfigurationProblem {
            ConfigurationProblem(key: "path", value: path.quoted(atMost: 200), expectation: expectation)
        }
        do throws(ReplayError) {
            _ = try ReplayFile(path: path, options: options).next()
            return nil
        } catch {
            switch error.code {
            case .missing: return nil
            case .unreadable: return problem("a file that can be read (\(error.reason))")
            case .unknownFormat:
                let isKnown = error.reason.hasPrefix("expected ")
                return problem("a file of one of the formats \(Self.formats)\(isKnown ? "" : " (\(error.reason))")")
            }
        }
    }

    private static func isFileOrDirectory(_ path: String) -> Bool {
        FileStatus.following(path).map { [.regular, .directory].contains($0.kind) } ?? false
    }

    private static let formats = ReplayFormat.allCases.map(\.name).joined(separator: ", ")

    private var pace: ReplayPace {
        switch speed {
        case .times(let factor): .speed(factor)
        case .maximum: .asFastAsPossible
        }
    }
}
