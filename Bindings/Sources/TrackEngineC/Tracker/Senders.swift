import CTrackEngine
import Logging
import TrackEngine

#if Senders
    import TrackEngineMQTT
    import TrackEngineSettings

    /// The version that the messages of a sink name, that of the file VERSION.
    private let version = "0.9.0"

    /// Creates the sinks with which the library itself sends; none without settings.
    func senders(
        _ settings: UnsafePointer<CChar>?, of device: DeviceID, _ logger: Logger
    ) throws(CallError) -> [SinkBinding] {
        guard let settings = text(settings) else { return [] }
        let context = PluginContext(device: device, logger: logger, programVersion: version)
        do throws(ConfigurationError) {
            return try SinkBinding.sinks(json: settings.utf8, of: [MQTTSink.plugin], context)
        } catch {
            throw CallError(status: TE_ERROR_SETTINGS, message: error.description)
        }
    }
#else
    /// Rejects all settings of senders.
    func senders(
        _ settings: UnsafePointer<CChar>?, of device: DeviceID, _ logger: Logger
    ) throws(CallError) -> [SinkBinding] {
        guard settings == nil else {
            throw CallError(
                status: TE_ERROR_SETTINGS, message: "expected senders = NULL: libtrackengine-agent alone has senders")
        }
        return []
    }
#endif
