import TrackEngine
import TrackEnginePlaces
import TrackEngineSettings
import TrackEngineTune

/// `trackd tune --trips`: the stops and trips of recorded tracks, one track per file.
struct TripTuning {
    /// The maximum number of files.
    static let mostFiles = 1000

    let recording: RecordingOptions
    let configuration: AgentConfiguration
    /// The labels; absent if there are none.
    let labels: TripLabelList?

    /// Reads the tracks and detects their stops and trips. Unusable input is reported; the rest is still used.
    ///
    /// - Returns: one trial for each usable file.
    /// - Throws: the problems of the configuration.
    func trials(from input: inout InputFiles) throws(ConfigurationError) -> [TripTrial] {
        let settings = try configuration.events.detected.stays.validated()
        let places = try PlaceIndex(configuration.events.namedPlaces() + configuration.events.filedPlaces())
        var trials: [TripTrial] = []
        var room = TripRecording.limit
        for file in recording.files {
            var track = TripRecording(configuration.tracking, wallClock: recording.wallClock, limit: room)
            input.read(file) { track.take($0) }
            guard track.isUsable else {
                let found = track.fixes.count
                if !input.hasFailed { input.say("\(file): expected at least two fixes, found \(found) of use") }
                continue
            }
            room -= track.fixes.count
            let labelled = labels?.track(of: file)
            if labels != nil, labelled == nil { input.say("\(file): the labels do not name it") }
            trials.append(try TripTrial(file, track, settings, places: places, labels: labelled))
        }
        if input.problems > 0 { input.say("\(input.problems.counted("problem")) in all; the rest is used") }
        input.finish()
        return trials
    }
}
