import TrackEngine
import TrackEngineSettings

/// The settings shared by a sink and a source: the server, and the identity there.
protocol MiataruServerSettings: PluginSettings {
    /// The server's address, required, with the options of the connection.
    var address: ServerAddress { get set }
    /// The id. Without one the agent makes and keeps an id.
    var deviceID: SecretReference? { get set }
    /// The key that the server requires for the id.
    var deviceKey: SecretReference? { get set }
}

extension MiataruServerSettings {
    /// Reports problems of a configuration, except for an address that was missing or malformed when it was read.
    func reject(_ problems: [ConfigurationProblem], in table: inout TableDecoder) {
        let isReadable = Endpoint(ifReadable: address.url) != nil
        for problem in problems where isReadable || problem.key != "url" { table.reject(problem.underSettingsKey) }
    }

    /// The identity in the configuration, read now; `nil` if there is none.
    ///
    /// - Throws: a problem with a secret, or with a key without an id.
    func identity(_ context: PluginContext) throws(ConfigurationError) -> MiataruIdentity? {
        guard let deviceID else {
            guard deviceKey == nil else {
                throw ConfigurationError(
                    "deviceKey", "***", "a deviceID with it; the key of an id that is made here is kept with it")
            }
            return nil
        }
        var identity = MiataruIdentity(deviceID: try context.secret("deviceID", deviceID))
        if let deviceKey { identity.deviceKey = try context.secret("deviceKey", deviceKey) }
        var check = ConfigurationCheck()
        check.rules(of: identity)
        try check.finish()
        return identity
    }

    /// The keeper of the identity for a source or sink with this name.
    func keeper(
        _ name: String, _ identity: MiataruIdentity?, _ context: PluginContext
    ) -> IdentityReader {
        guard let identity else {
            return .file(IdentityFile(of: name, in: context.stateDirectory ?? ".", key: context.storeKey))
        }
        return .configuration {
            var renewed = identity
            renewed.deviceID = await context.currentSecret("deviceID") ?? identity.deviceID
            if identity.deviceKey != nil { renewed.deviceKey = await context.currentSecret("deviceKey") }
            return renewed
        }
    }
}

extension ConfigurationProblem {
    /// The key of the problem in the settings.
    private var settingsKey: String { TLSFiles.key(ofOption: key) ?? key }

    /// The problem under the key of the settings.
    var underSettingsKey: ConfigurationProblem {
        ConfigurationProblem(key: settingsKey, value: value, expectation: expectation)
    }
}

extension ConfigurationError {
    /// The problems under the keys of the settings.
    var underSettingsKeys: ConfigurationError { ConfigurationError(problems: problems.map(\.underSettingsKey)) }
}

extension Field where Section: MiataruServerSettings {
    /// The server's address.
    static var server: Field {
        .endpoint("url", \.address.url).required()
            .meaning("The server's address without /v1; https unless it is this machine or allowInsecure is on.")
    }

    /// The key for the id.
    static var deviceKey: Field {
        .secret("deviceKey", \.deviceKey)
            .meaning("The key that the server demands for writing under the id, once one has been set there.")
    }

    /// The options of the connection.
    static var connection: [Field] {
        [
            .table("tls", \.address.tls, TLSFiles.fields).meaning("Files for TLS."),
            .flag("allowInsecure", \.address.allowInsecure)
                .meaning("Allows http to other machines: everyone on the way can read places, ids and keys."),
            .httpTimeout(\.address.httpTimeout),
        ]
    }
}
