package import TrackEngineSettings

extension Field {
    /// The key `httpTimeout`, the longest duration of one exchange in milliseconds.
    package static func httpTimeout(_ path: any WritableKeyPath<Section, Duration> & Sendable) -> Field {
        let number = ValueRule<Int>.integer(DeliveryClient.timeouts, "milliseconds")
        let rule = ValueRule<Duration>(number.kind, number.expectation) { node in
            number.parse(node).map { .milliseconds($0) }
        }
        return .value("httpTimeout", path, rule, show: { .word("\(Int($0 / .milliseconds(1)))") })
            .meaning("How long one exchange may take.")
    }
}
