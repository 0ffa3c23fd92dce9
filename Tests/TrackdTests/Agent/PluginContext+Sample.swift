import Logging
import TrackEngine
import TrackEngineAgent
import TrackEngineSettings

extension PluginContext {
    /// A context for the device `van-7`.
    static func sample(environment: [String: String] = [:]) -> PluginContext {
        PluginContext(
            device: "van-7", secrets: AgentSecretReader(SecretReader(environment: environment)),
            logger: Logger(label: "test"), programVersion: "1.2.3")
    }
}
