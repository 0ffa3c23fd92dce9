import TrackEngine
import TrackEngineSettings

/// The common part of the configurations of sinks over HTTP.
protocol HTTPSinkConfiguration: Sendable, Hashable {
    var url: String { get set }
    var httpTimeout: Duration { get set }
    var tls: TLSOptions { get set }
}

extension HTTPSink.Configuration: HTTPSinkConfiguration {}
extension OsmAndSink.Configuration: HTTPSinkConfiguration {}
extension OverlandSink.Configuration: HTTPSinkConfiguration {}
extension OwnTracksSink.Configuration: HTTPSinkConfiguration {}

/// The common settings of all sinks over HTTP.
protocol HTTPSinkSettings: SinkSettings {
    associatedtype Configuration: HTTPSinkConfiguration
    /// The sink's configuration, with the values that need neither a secret nor the agent's device. Its address is
    /// required.
    var configuration: Configuration { get set }
    /// The name in each record, instead of the agent's own device id.
    var deviceID: String? { get set }
    /// A problem of the sink's configuration under the keys of the settings, with the remedy that the settings
    /// offer.
    func inWordsOfSettings(_ problem: ConfigurationProblem) -> ConfigurationProblem
}

extension HTTPSinkSettings {
    /// The receiver's address.
    var url: String { configuration.url }

    package var readers: String? { Endpoint.readers(of: url) }

    /// The name of the device in each record.
    func device(_ agent: DeviceID) -> DeviceID { deviceID.map(DeviceID.init(rawValue:)) ?? agent }

    /// Reports the problems that the sink's own rules find, except for an address that was missing or malformed when
    /// it was read.
    func reject(_ problems: [ConfigurationProblem], in table: inout TableDecoder) {
        let isReadable = Endpoint(ifReadable: url) != nil
        for problem in problems where isReadable || problem.key != "url" { table.reject(inWordsOfSettings(problem)) }
    }

    func inWordsOfSettings(_ problem: ConfigurationProblem) -> ConfigurationProblem { inWordsOfSharedSettings(problem) }

    /// The same for the keys that all these sinks have.
    func inWordsOfSharedSettings(_ problem: ConfigurationProblem) -> ConfigurationProblem {
        switch problem.key {
        case "url" where problem.expectation.hasPrefix("https"):
            ConfigurationProblem(
                key: "url", value: Endpoint.masked(url).quoted(atMost: 200),
                expectation: "https, or allowInsecure: true to send in the clear")
        case "tls":
            ConfigurationProblem(
                key: "tls", value: problem.value, expectation: "\(problem.expectation), url is \(Endpoint.masked(url))")
        case "tls.certificateFile" where configuration.tls.keyFile == nil,
            "tls.keyFile" where configuration.tls.certificateFile == nil:
            ConfigurationProblem(key: "tls", value: "{…}", expectation: "both certificate and key, or neither")
        case let key where TLSFiles.key(ofOption: key) != nil:
            ConfigurationProblem(
                key: TLSFiles.key(ofOption: key) ?? key, value: problem.value, expectation: problem.expectation)
        case _: problem
        }
    }
}

extension Field where Section: HTTPSinkSettings {
    /// The address. Rejects the link that a receiver shows for the Overland app; the command `setup` accepts it.
    static var url: Field {
        let address = Field.endpoint("url", \.configuration.url)
        return Field(
            address.name, address.kind, address.expectation,
            read: { table, settings in
                guard table.node("url")?.text?.lowercased().hasPrefix("overland:") != true else {
                    return table.reject(
                        "url", "***", "an address with https; the command setup takes an overland:// link")
                }
                if let expectation = table.node("url")?.text.flatMap(OverlandAddressField.expectation) {
                    return table.reject("url", "***", expectation)
                }
                address.read(&table, &settings)
            }, show: address.show
        ).required()
            .meaning("The receiver's address; https unless it is this machine or allowInsecure is on.")
    }

    /// The name of the device in each record.
    static var deviceID: Field {
        .text("deviceID", \.deviceID, .receiverDevice).meaning("The name in each record, instead of device.id.")
    }

    /// Files for TLS.
    static var tls: Field { .table("tls", \.configuration.tls.files, TLSFiles.fields).meaning("Files for TLS.") }

    /// The longest duration of one exchange.
    static var httpTimeout: Field { .httpTimeout(\.configuration.httpTimeout) }
}
