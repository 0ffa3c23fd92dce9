import TrackEngine
package import TrackEngineSettings

/// The sources that an agent runs with, and a description of the reason for the selection.
package struct SourceChoice: Sendable, CustomStringConvertible {
    package let configurations: [SourceConfiguration]
    package let description: String
    /// The demonstration that the detected source belongs to.
    package let demonstration: SourcePlugin.Demonstration?

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

    private init(
        _ configurations: [SourceConfiguration], _ description: String,
        demonstration: SourcePlugin.Demonstration? = nil
    ) {
        self.configurations = configurations
        self.description = description
        self.demonstration = demonstration
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
            let settings = detection.demonstration?.source ?? plugin.settings.init()
            self.init(
                [SourceConfiguration(name: SourceID(rawValue: plugin.type), kind: settings)],
                (absent + [detection.present]).joined(separator: ": "), demonstration: detection.demonstration)
            return
        }
        self.init(listed: [])
    }
}
