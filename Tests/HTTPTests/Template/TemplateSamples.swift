import TrackEngine
import TrackEngineHTTP

/// What the tests of templates have in common.
enum TemplateSamples {
    static func configuration(
        _ url: String = "http://127.0.0.1:9/in", device: DeviceID = "van-7",
        _ change: (inout HTTPSink.Configuration) -> Void = { _ in }
    ) -> HTTPSink.Configuration {
        var configuration = HTTPSink.Configuration(url: url, deviceID: device)
        change(&configuration)
        return configuration
    }

    /// The request for a record, or for a batch of this one record.
    static func request(
        _ record: TrackRecord = Samples.full, _ configuration: HTTPSink.Configuration
    ) throws -> (url: String, body: String) {
        let template = try RequestTemplate(configuration)
        guard let request = template.isBatch ? template.request(for: [record]) : template.request(for: record) else {
            return ("too long", "")
        }
        return (request.endpoint.text, String(decoding: request.body, as: UTF8.self))
    }

    /// A body for a record, with the position at its end out of the way.
    static func body(
        _ template: String, _ format: HTTPSink.Configuration.Format = .json, _ record: TrackRecord = Samples.full,
        device: DeviceID = "van-7"
    ) throws -> String {
        try request(
            record,
            configuration("http://127.0.0.1:9/%{latitude}/%{longitude}", device: device) {
                $0.format = format
                $0.body = template
            }
        ).body
    }

    /// What the template of a body was expected to be; `nil` for a good one.
    static func problem(
        _ template: String, _ format: HTTPSink.Configuration.Format = .json
    ) -> String? {
        configuration("http://127.0.0.1:9/%{latitude}/%{longitude}") {
            $0.format = format
            $0.body = template
        }.problems.first?.expectation
    }
}
