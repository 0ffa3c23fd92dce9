package import TrackEngine
import TrackEngineSettings

extension HTTPSettings: WarningSettings {
    /// Warnings about fields that a template lacks and without which the receiver gets no track.
    package func cautions(beside tracking: RecordingConfiguration, sourceCount: Int) -> [String] {
        // A preset's own templates fit their receivers, but a link may have fewer fields; a webhook for events is no
        // track.
        let preset = configuration.preset
        guard kinds.contains(.location),
            preset == nil || preset == .gpslogger || configuration.body != nil || configuration.record != nil,
            let template = try? RequestTemplate(configuration(device: "device", credentials: standIns))
        else { return [] }  // an invalid template has been reported
        let fields = template.fieldsOfRecord
        let key = template.isBatch ? "record" : configuration.body == nil ? "url" : "body"
        var cautions: [String] = []
        if !fields.isSuperset(of: [.latitude, .longitude]) {
            cautions.append("\(key) = …: without %{latitude} and %{longitude} the receiver has no place of a record")
        }
        if !fields.contains(.time) {
            cautions.append(
                "\(key) = …: without %{time} a record that had to wait looks like the present place")
        }
        return cautions
    }
}
