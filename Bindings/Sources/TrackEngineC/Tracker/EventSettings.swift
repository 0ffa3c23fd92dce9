import CTrackEngine
import TrackEngine

#if Places
    import TrackEnginePlaces

    /// Returns the detector of the events that the settings of a tracker ask for; `nil` if they ask for none.
    func eventDetector(
        _ events: UnsafePointer<CChar>?, _ places: UnsafePointer<CChar>?, of device: DeviceID
    ) throws(CallError) -> (any EventDetector)? {
        let file = PlaceFile(text(places).map { Array($0.utf8) } ?? Array("[]".utf8))
        guard file.problems.isEmpty else {
            let problems = file.problems.map { "places: \($0)" }
            throw CallError(status: TE_ERROR_SETTINGS, message: problems.joined(separator: "\n"))
        }
        do throws(ConfigurationError) {
            let configuration = try TrackEventDetector.Configuration(
                json: (text(events) ?? "{}").utf8, places: file.places)
            return configuration.isEmpty ? nil : try TrackEventDetector(configuration, device: device)
        } catch {
            throw .settings(error, of: "events")
        }
    }
#else
    /// Rejects all settings of events.
    func eventDetector(
        _ events: UnsafePointer<CChar>?, _ places: UnsafePointer<CChar>?, of device: DeviceID
    ) throws(CallError) -> (any EventDetector)? {
        guard events == nil, places == nil else {
            throw CallError(
                status: TE_ERROR_SETTINGS,
                message: "expected events = NULL and places = NULL: this library was built without detectors")
        }
        return nil
    }
#endif
