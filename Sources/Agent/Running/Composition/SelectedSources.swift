import TrackEngine
package import TrackEngineSettings

/// The sources that an agent runs with, and a description of the reason for the selection.
package struct SelectedSources: Sendable, CustomStringConvertible {
    package let configurations: [SourceConfiguration]
    package let description: String

    /// Uses the listed sources, or searches for a source on this machine.
    package init(_ selection: SourceSelection, among plugins: [SourcePlugin]) async {
        switch selection {
        case .listed(let configurations): self.init(listed: configurations)
        case .automatic: await self.init(automatic: plugins)
        }
    }

    package init(listed configurations: [SourceConfiguration]) {
        let names = configurations.map(\.name.rawValue).joined(separator: ", ")
        self.init(
            configurations,
            configurations.isEmpty ? "no source: this agent only delivers" : "fixes come from \(names)")
    }

    private init(_ configurations: [SourceConfiguration], _ description: String) {
        self.configurations = configurations
        self.description = description
    }

    /// Selects the first plugin type that detects a source on this machine.
    package init(automatic plugins: [SourcePlugin]) async {
        var absent: [String] = []
        for plugin in plugins {
            guard let detection = plugin.detection else { continue }
            guard await detection.isPresent() else {
                absent.append(detection.absent)
                continue
            }
            self.init(
                [SourceConfiguration(name: SourceID(rawValue: plugin.type), kind: plugin.settings.init())],
                (absent + [detection.present]).joined(separator: ": "))
            return
        }
        self.init(listed: [])
    }
}
