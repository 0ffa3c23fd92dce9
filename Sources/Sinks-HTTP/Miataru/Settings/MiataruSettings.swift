import Encryption
package import TrackEngine
public import TrackEngineSettings

extension MiataruSink {
    /// `type: miataru`: a Miataru server, through which a position is shared.
    public static let plugin = SinkPlugin(MiataruSettings.self)
}

/// `{type: miataru, url: "https://service.miataru.com", deviceID: {file: …}}`: a position that is shared through a
/// server.
package struct MiataruSettings: SinkSettings, MiataruServerSettings {
    package static let type = "miataru"
    package static let summary =
        "A Miataru server, which gives the place to anyone with the device's id."

    package var address = ServerAddress(url: "")
    /// The id under which the position is shared. Without one the agent makes and keeps an id.
    package var deviceID: SecretReference?
    /// The key that the server requires for writing under the id.
    package var deviceKey: SecretReference?
    /// Whether the server keeps a history. Default false.
    package var history = false
    /// The time for which the server keeps positions, in minutes. Default 1440.
    package var retention = 1440
    /// Whether the server is checked for visitors. Default false.
    package var visitorAlerts = false

    package init() {}

    package static let fields: [Field<Self>] =
        [
            .server,
            .secret("deviceID", \.deviceID)
                .meaning(
                    "The id under which the place is shared; anyone with it can ask for the place; null for one that is made and kept."
                ),
            .deviceKey,
            .flag("history", \.history)
                .meaning("Whether the server keeps a history; otherwise it has the newest place alone."),
            .integer("retention", \.retention, MiataruSink.Configuration.retentions, "minutes")
                .meaning("How long the server keeps its data."),
            .flag("visitorAlerts", \.visitorAlerts)
                .meaning(
                    "Checks every 15 minutes for visitors, and reports each unknown visitor once a day."
                ),
        ] + Field.connection

    package mutating func check(_ table: inout TableDecoder) {
        reject(configuration(MiataruIdentity(deviceID: Secret("x"))).problems, in: &table)
    }

    package func makeSink(named name: SinkID, _ context: PluginContext) throws(ConfigurationError) -> any FixSink {
        do throws(ConfigurationError) {
            let identity = try identity(context)
            return try MiataruSink(
                id: name,
                configuration: configuration(identity ?? MiataruIdentity(deviceID: Secret(Self.idInPlaceOfKept))),
                keeper: keeper(name.rawValue, identity, context),
                visitors: visitorAlerts ? try visitors(of: name, identity, context) : nil,
                mark: SharingMarkFile(of: name, in: context.stateDirectory, key: context.storeKey))
        } catch {
            throw error.underSettingsKeys
        }
    }

    private func visitors(
        of name: SinkID, _ identity: MiataruIdentity?, _ context: PluginContext
    ) throws(ConfigurationError) -> VisitorMonitor {
        let account = MiataruAccount(
            name, try MiataruServer(address), keeper(name.rawValue, identity, context),
            SharingMarkFile(of: name, in: context.stateDirectory, key: context.storeKey))
        let file = context.stateDirectory.map {
            EncryptedFile(
                "\($0)/miataru/\(name).visitors.json", limit: VisitorMonitor.largestFile, key: context.storeKey)
        }
        return VisitorMonitor(account, file: file, logger: context.logger)
    }

    package var readers: String? { Endpoint.readers(of: address.url) }

    /// The id in bodies that are shown and not sent.
    private static let idInPlaceOfKept = "00000000-0000-0000-0000-000000000000"

    /// The sink's configuration.
    private func configuration(_ identity: MiataruIdentity) -> MiataruSink.Configuration {
        var sink = MiataruSink.Configuration(url: address.url, identity: identity)
        sink.history = history
        sink.retention = retention
        (sink.tls, sink.allowInsecure, sink.httpTimeout) = (address.tls, address.allowInsecure, address.httpTimeout)
        return sink
    }
}

extension MiataruSettings: SharingSettings {
    package func sharingAccount(
        named name: SinkID, _ context: PluginContext
    ) throws(ConfigurationError) -> any SharingAccount {
        do throws(ConfigurationError) {
            return MiataruAccount(
                name, try MiataruServer(address), keeper(name.rawValue, try identity(context), context),
                SharingMarkFile(of: name, in: context.stateDirectory, key: context.storeKey))
        } catch {
            throw error.underSettingsKeys
        }
    }
}

extension MiataruSettings: SyncSettings, WarningSettings, EncryptedSettings {
    /// Without a history only the newest position matters, and it matters now.
    package var defaultSyncThreshold: Int? { history ? nil : 1 }

    /// The warning for several sources: their positions are shared under one device id.
    package func cautions(beside tracking: RecordingConfiguration, sourceCount: Int) -> [String] {
        guard sourceCount > 1 else { return [] }
        return ["deviceID = one: places of several sources are shared as those of one device"]
    }

    package var encryptedPlaces: [any EncryptedDirectory] { [] }

    /// The files of identities, followed devices and visitors, including those of sources.
    package static func encryptedPlaces(in stateDirectory: String) -> [any EncryptedDirectory] {
        [EncryptedFiles(in: stateDirectory + "/miataru")]
    }
}
