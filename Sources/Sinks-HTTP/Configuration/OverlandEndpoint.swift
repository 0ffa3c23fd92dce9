import NIOSSL
package import TrackEngine
import TrackEngineSettings

/// The endpoint of a valid configuration: its address, its TLS context, and the rule for its replies.
struct OverlandEndpoint: Sendable {
    let endpoint: Endpoint
    let success: OverlandSink.Configuration.SuccessRule
    let tls: TLSConfiguration

    /// Checks the whole configuration and reports all problems at once.
    init(_ configuration: OverlandSink.Configuration, id: SinkID) throws(ConfigurationError) {
        let destination = try SinkEndpoint(of: id, configuration.tls.files) { $0.rules(of: configuration) }
        endpoint = destination.endpoint
        tls = destination.tls
        success = configuration.success ?? configuration.profile.success
    }
}

extension OverlandSink.Configuration {
    /// All problems that can be found without reading a file.
    package var problems: [ConfigurationProblem] { ConfigurationCheck.problems { _ = $0.rules(of: self) } }
}

extension ConfigurationCheck {
    /// Checks all rules that do not depend on files. Returns `nil` for an invalid address.
    fileprivate mutating func rules(of configuration: OverlandSink.Configuration) -> Endpoint? {
        var endpoint: Endpoint?
        if let expectation = OverlandAddressField.expectation(for: configuration.url) {
            problem("url", "***", expectation)
        } else {
            endpoint = self.endpoint(configuration.url, allowInsecure: configuration.allowInsecure)
        }
        text("deviceID", configuration.deviceID.rawValue, .receiverDevice)
        rules(of: configuration.credentials)
        limits(of: configuration)
        rules(of: configuration.tls.files, for: endpoint)
        return endpoint
    }

    fileprivate mutating func limits(of configuration: OverlandSink.Configuration) {
        httpTimeout(configuration.httpTimeout)
        if let accuracy = configuration.assumedAccuracy {
            range("assumedAccuracy", accuracy, OverlandSink.Configuration.accuracies, "metres")
        }
        if let length = configuration.maximumBodyLength {
            range("maximumBodyLength", length, OverlandSink.Configuration.bodyLengths, "bytes")
        }
        if let name = configuration.tokenParameter,
            !(1...64).contains(name.utf8.count) || PercentEncoding.encoded(name) != name
        {
            problem("tokenParameter", name.quoted(atMost: 64), "a name of 1 to 64 letters, digits, -, ., _ and ~")
        }
        if case .bodyContains("") = configuration.success {
            problem("success", "(empty)", "a text that the reply must contain")
        }
    }
}
