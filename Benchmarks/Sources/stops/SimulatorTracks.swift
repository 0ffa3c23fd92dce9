import TrackEngine
import TrackEngineSimulated
import TrackEngineTune

/// Drives of the engine's own simulator, which knows when its vehicle stands: two hours of town and parking places each.
enum SimulatorTracks {
    static func track(seed: UInt64, noise: NoiseModel, name: String) throws -> LabelledTrack {
        var configuration = SimulatedSource.Configuration(seed: seed, duration: .seconds(7200))
        configuration.noise = noise
        configuration.parking = ParkingModel(
            afterDriving: .seconds(240) ... .seconds(900), stay: .seconds(80) ... .seconds(900))
        var fixes: [Fix] = []
        var rests: [TimeSpan] = []
        var since: Double?
        var last = 0.0
        for epoch in try SimulatedDrive(configuration) {
            let time = epoch.truth.time.seconds
            if epoch.truth.speed == 0 {
                since = since ?? time
            } else if let begin = since {
                if time - begin > 20 { rests.append(TimeSpan(begin: begin, end: last)) }
                since = nil
            }
            last = time
            if let fix = epoch.fix { fixes.append(fix) }
        }
        if let begin = since, last - begin > 20 { rests.append(TimeSpan(begin: begin, end: last)) }
        return LabelledTrack(name: "\(name) \(seed)", fixes: fixes, rests: rests)
    }
}
