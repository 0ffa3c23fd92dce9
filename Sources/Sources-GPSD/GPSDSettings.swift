package import TrackEngine
public import TrackEngineSettings

extension GPSDSource {
    /// `type: gpsd`: a running gpsd. An agent without a configuration uses it if one answers on this machine.
    public static let plugin = SourcePlugin(
        GPSDSettings.self,
        detection: .init(
            present: "gpsd answers on localhost:2947: fixes come from it", absent: "no gpsd on localhost:2947",
            isPresent: { await GPSDCheck.answers(port: GPSDSettings().port) }))
}

/// `{type: gpsd, host: localhost, port: 2947}`: a running gpsd.
package struct GPSDSettings: SourceSettings {
    package static let type = "gpsd"
    package static let summary = "The fixes of a running gpsd."

    /// The host's name or address. Default localhost.
    package var host = GPSDSource.Configuration().host
    /// The TCP port, 1 to 65535. Default 2947.
    package var port = GPSDSource.Configuration().port
    /// The path of the receiver to use, for example `/dev/ttyACM0`. Default: all of gpsd's receivers.
    package var device: String?

    package init() {}

    package static let fields: [Field<Self>] = [
        .text("host", \.host, .host).meaning("The name or address of the machine on which gpsd runs."),
        .integer("port", \.port, GPSDSource.Configuration.ports).meaning("The TCP port of gpsd."),
        .text("device", \.device)
            .meaning("The path of the only receiver to use, such as /dev/ttyACM0; null uses all that gpsd has."),
    ]

    package func makeSources(
        named name: SourceID, _ context: PluginContext
    ) throws(ConfigurationError) -> [any FixSource] {
        var configuration = GPSDSource.Configuration(host: host, port: port)
        configuration.device = device
        return [try GPSDSource(id: name, configuration: configuration, logger: context.logger)]
    }
}
