import TrackEngine

/// The sources that an agent runs with, and in words why these.
package struct SelectedSources: Sendable, CustomStringConvertible {
    package let configurations: [SourceConfiguration]
    package let description: String

    /// Takes what the configuration lists, or else looks for gpsd on this machine.
    package init(_ selection: SourceSelection, poller: DescriptorPoller) async {
        switch selection {
        case .listed(let configurations): self.init(listed: configurations)
        case .automatic:
            let gpsd = GPSDSourceConfiguration()
            self.init(automatic: gpsd, answers: await GPSDProbe.answers(port: gpsd.port, poller: poller))
        }
    }

    package init(listed configurations: [SourceConfiguration]) {
        self.configurations = configurations
        let names = configurations.map(\.name.rawValue).joined(separator: ", ")
        description = configurations.isEmpty ? "no source: this agent only delivers" : "fixes come from \(names)"
    }

    package init(automatic gpsd: GPSDSourceConfiguration, answers: Bool) {
        if answers {
            configurations = [SourceConfiguration(name: "gpsd", kind: gpsd)]
            description = "gpsd answers on \(gpsd.host):\(gpsd.port): fixes come from it"
        } else {
            configurations = [SourceConfiguration(name: "simulated", kind: SimulatedSourceConfiguration())]
            description = "no gpsd on \(gpsd.host):\(gpsd.port): a simulated vehicle drives instead"
        }
    }
}
