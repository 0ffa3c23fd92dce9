package import TrackEngine
public import TrackEngineSettings

extension HistorySink {
    /// `type: history`: a history of tracks on this machine.
    public static let plugin = SinkPlugin(HistorySettings.self)
}

/// `{type: history, directory: /var/lib/trackd/history}`
package struct HistorySettings: DirectorySettings, EncryptedSettings {
    package static let type = "history"
    package static let summary = "A history of tracks on this machine, over years and for many devices."

    /// The directory of the history, which belongs to one process, and to one sink in it. Required.
    package var directory = ""

    /// The days that points stay, 0 for ever. Default 0.
    package var keepDays = 0
    /// The most bytes that points and events may take, 0 for no limit. Default 0.
    package var maxBytes: Int64 = 0

    package init() {}

    package static let fields: [Field<Self>] = [
        .text("directory", \.directory, .absolutePath).required()
            .meaning("The directory of the history; it is made if it is not there, and no other sink may write there."),
        .integer("keepDays", \.keepDays, HistoryRetention.days, "days")
            .meaning("How long points stay, counted back from the newest one of their device; 0 for ever."),
        .bytes("maxBytes", \.maxBytes, HistoryRetention.totals)
            .meaning(
                "How much points and events may take; the oldest of the device that has most go first; 0 for no limit. "
                    + "Lines drawn from them take at most a quarter of it in addition."),
    ]

    package var expectationOfFiles: String? { HistoryFiles.expectation(of: directory) }

    package func makeSink(named name: SinkID, _ context: PluginContext) throws(ConfigurationError) -> any FixSink {
        HistorySink(
            id: name, directory: directory, device: context.device, key: context.storeKey, retention: retention,
            logger: context.logger)
    }

    package var encryptedPlaces: [any EncryptedDirectory] { [EncryptedHistory(directory: directory)] }

    package static func encryptedPlaces(in stateDirectory: String) -> [any EncryptedDirectory] {
        EncryptedHistory.found(below: stateDirectory)
    }

    private var retention: HistoryRetention {
        var retention = HistoryRetention()
        retention.keepDays = keepDays
        retention.maxBytes = maxBytes
        return retention
    }

    package var readers: String? { "everyone with access to \(directory)" }
}
