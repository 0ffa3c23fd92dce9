import TrackEngine
import TrackEngineAgent
import TrackEngineFiles
import TrackEngineSettings
import TrackEngineTune

/// A walk around three sides of a square, whose figures can be worked out by hand: 100 s north, 100 s east and 100 s south
/// at 10 m/s, a fix a second, beside the equator, where a degree is 110 574 m to the north and 111 320 m to the east.
enum SampleTrack {
    static let start = Timestamp(secondsSince1970: 1_772_359_200)  // 2026-03-01T10:00:00Z

    static func fix(_ second: Int, north: Double, east: Double) -> Fix {
        Fix(
            time: start.advanced(by: .seconds(second)),
            coordinate: Coordinate(latitude: 1e-6 + north / 110_574.4, longitude: 10 + east / 111_319.5),
            horizontalAccuracy: 3, speed: 10)
    }

    static let fixes: [Fix] = (0...300).map { second in
        let north = second <= 100 ? second * 10 : second <= 200 ? 1000 : 3000 - second * 10
        return fix(second, north: Double(north), east: Double(min(max(second - 100, 0), 100) * 10))
    }

    static func track(
        _ fixes: [Fix] = fixes, configuration: RecordingConfiguration = RecordingConfiguration(), limit: Int? = nil
    ) -> RecordedTrack {
        let day = start.advanced(by: .seconds(86_400))
        var gatherer = RecordedTrack.Recorder(
            configuration, wallClock: day, limit: limit ?? RecordedTrack.Recorder.limit)
        gatherer.take(fixes)
        return gatherer.finish()
    }

    static func tuning(
        _ wishes: [Recommendation.Target] = [], _ change: (inout Tuning.Options) -> Void = { _ in }
    ) throws -> Tuning {
        var terms = Tuning.Options()
        change(&terms)
        let meter = try WireMeter(device: terms.device, batchSize: terms.batchSize)
        return Tuning(track(configuration: terms.configuration), terms, meter: meter, wishes: wishes)
    }

    /// The same as GPX, as NMEA, and as gpsd's JSON.
    static var gpx: String {
        let points = fixes.map { fix in
            let (place, second) = (fix.coordinate, fix.time.duration(since: start).components.seconds)
            return "<trkpt lat=\"\(place.latitude)\" lon=\"\(place.longitude)\"><time>\(clock(second))</time></trkpt>\n"
        }
        return """
            <?xml version="1.0"?><gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>
            \(points.joined())</trkseg></trk></gpx>

            """
    }

    static var gpsd: String {
        fixes.map { fix in
            let second = fix.time.duration(since: start).components.seconds
            return "{\"class\":\"TPV\",\"device\":\"/dev/ttyS0\",\"mode\":2,\"time\":\"\(clock(second))\","
                + "\"lat\":\(fix.coordinate.latitude),\"lon\":\(fix.coordinate.longitude),\"speed\":10}\n"
        }.joined()
    }

    private static func clock(_ second: Int64) -> String {
        "2026-03-01T10:0\(second / 60):\(second % 60 < 10 ? "0" : "")\(second % 60).000Z"
    }
}
