import TestSupport
import TrackEngine
import TrackEngineHTTP

/// What the tests of the OsmAnd sink have in common.
enum OsmAndSamples {
    static func configuration(
        _ url: String, _ change: (inout OsmAndSink.Configuration) -> Void = { _ in }
    ) -> OsmAndSink.Configuration {
        var configuration = OsmAndSink.Configuration(url: url, deviceID: "van-7")
        change(&configuration)
        return configuration
    }

    /// What the receiver calls a record that came in a format.
    static func name(of record: TrackRecord, _ format: OsmAndSink.Configuration.Format) -> String {
        switch format {
        case .query: "\(record.fix.time.secondsSince1970)"
        case .json: "\(record.id)"
        }
    }
}
