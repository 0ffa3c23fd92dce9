package import TrackEngine
package import TrackEngineSettings

/// Abilities that the settings of some types of sinks have, as the agent needs them.
extension SinkConfiguration {
    /// The expectation that the sink's directory, or a file in it, fails to meet.
    var expectationOfFiles: String? { (kind as? any DirectorySettings)?.expectationOfFiles }

    /// Warnings of the settings themselves.
    func cautions(beside tracking: RecordingConfiguration, sourceCount: Int) -> [String] {
        (kind as? any WarningSettings)?.cautions(beside: tracking, sourceCount: sourceCount) ?? []
    }

    /// The name under which the server keeps the records if it does not distinguish all names.
    var receiverName: ReceiverName? { (kind as? any ReceiverSettings)?.receiverName }

    /// The directories in which the sink keeps data that is encrypted together with the store.
    var encryptedPlaces: [any EncryptedDirectory] { (kind as? any EncryptedSettings)?.encryptedPlaces ?? [] }

    /// The data that the sink would send for a record, for display.
    package func sample(device: DeviceID) -> String? { (kind as? any RequestSettings)?.sample(device: device) }

    /// The devices that may send to the sink; `nil` if it does not receive.
    func deviceRegistry(encryptedUnder key: StoreKey?) throws(DeviceRegistryError) -> (any DeviceRegistry)? {
        try (kind as? any RegistrySettings)?.deviceRegistry(encryptedUnder: key)
    }

    /// The account under which the sink shares the position; `nil` if it has none.
    package func sharingAccount(_ context: PluginContext) throws(ConfigurationError) -> (any SharingAccount)? {
        try (kind as? any SharingSettings)?.sharingAccount(named: name, context)
    }
}

extension SinkPlugin {
    /// The directories with encrypted data of sinks of the type in the agent's state directory.
    func encryptedPlaces(in stateDirectory: String) -> [any EncryptedDirectory] {
        (settings as? any EncryptedSettings.Type)?.encryptedPlaces(in: stateDirectory) ?? []
    }
}
