import TrackEngine

/// Reads the settings of the section `tracking`; the defaults without any.
func recordingSettings(_ text: UnsafePointer<CChar>?) throws(CallError) -> RecordingConfiguration {
    guard let text else { return RecordingConfiguration() }
    do throws(ConfigurationError) { return try RecordingConfiguration(json: String(cString: text).utf8) } catch {
        throw .settings(error, of: "tracking")
    }
}

/// Reads the keys of retention of the section `store`; the defaults without any.
func retentionSettings(_ text: UnsafePointer<CChar>?) throws(CallError) -> RetentionConfiguration {
    guard let text else { return RetentionConfiguration() }
    do throws(ConfigurationError) { return try RetentionConfiguration(json: String(cString: text).utf8) } catch {
        throw .settings(error, of: "store")
    }
}

/// Reads the keys of delivery of a sink; the defaults without any.
func syncSettings(_ text: UnsafePointer<CChar>?, of sink: String) throws(CallError) -> SyncConfiguration {
    guard let text else { return SyncConfiguration() }
    do throws(ConfigurationError) { return try SyncConfiguration(json: String(cString: text).utf8) } catch {
        throw .settings(error, of: "sinks.\(sink)")
    }
}

/// Returns a caller's text; `nil` for NULL.
func text(_ text: UnsafePointer<CChar>?) -> String? { text.map { String(cString: $0) } }
