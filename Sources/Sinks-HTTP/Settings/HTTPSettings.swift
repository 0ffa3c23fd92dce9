import TrackEngine
public import TrackEngineSettings

extension HTTPSink {
    /// `type: http`: a receiver of requests that the configuration describes.
    public static let plugin = SinkPlugin(HTTPSettings.self)
}

/// `{type: http, url: "https://…", body: '{"lat": %{latitude}, …}'}`: a receiver of requests that the configuration
/// describes.
package struct HTTPSettings: AuthenticationSettings {
    package static let type = "http"
    package static let summary = "A receiver over HTTP; a preset or a template describes its requests."

    /// The sink's configuration, with the values that need neither a secret nor the agent's device.
    package var configuration = HTTPSink.Configuration(url: "", deviceID: "")
    /// The kinds of records that are sent.
    package var kinds: [Kind] = [.location]
    /// The ids of the places with events to send; empty for all events.
    package var places: [String] = []
    /// The replies that acknowledge a request.
    package var success = Success()
    /// The bearer token.
    package var token: SecretReference?
    /// HTTP basic authentication, instead of ``token``.
    package var basicAuth: BasicAuthenticationSettings?
    /// More header fields for each request; their values may be secrets.
    package var headers: [HeaderSettings] = []
    /// The source of a token that expires, instead of ``token``.
    package var auth = TokenSettings()
    /// The value of the field `device`, instead of the agent's own device id.
    package var deviceID: String?

    package init() {}

    package static let fields: [Field<Self>] = [
        .address,
        .choice("preset", \.configuration.preset)
            .meaning("A receiver with known requests; other keys of the sink replace parts of the preset."),
        .choice("method", \.configuration.method).meaning("The request's method; null for the preset's, else POST."),
        .choice("format", \.configuration.format)
            .meaning(
                "The format of the body, which decides how values in it are escaped; null for the preset's, else json."),
        .text("body", \.configuration.body, .template)
            .meaning("The template of the body; with record, %{records} is replaced by the records of a batch."),
        .text("record", \.configuration.record, .template)
            .meaning("The template of one record of a batch; null for a request a record, or for the preset's."),
        .choices("kinds", \.kinds)
            .meaning("Which records are sent; without location this is a webhook for events."),
        .texts("places", \.places, .line, "a list of places' ids")
            .meaning("Of which places events are sent, by the places' ids; of all where none is named."),
        .table("success", \.success, Success.fields).meaning(
            "Which replies acknowledge a request; all that is set must hold."),
        .token,
        .basicAuth,
        .headers,
        .auth,
        .deviceID,
        .tls,
        .flag("allowInsecure", \.configuration.allowInsecure)
            .meaning("Allows http to other machines: everyone on the way can read the positions and the token."),
        .httpTimeout,
    ]

    /// The kinds of records.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case location, visit, trip, transition, action, heartbeat, power

        var kind: RecordKinds { RecordKind(name: rawValue).map(RecordKinds.init) ?? [] }
    }

    /// The replies that acknowledge a request.
    package struct Success: Sendable, Hashable {
        package var status: Int?
        package var path: String?
        package var value: String?
        package var contains: String?

        static let fields: [Field<Success>] = [
            .integer("status", \.status, 200...299).meaning(
                "The one status that is taken; null for any from 200 to 299."),
            .text("path", \.path)
                .meaning("Names and places in the JSON of the reply, such as items.0.state, that must be there."),
            .text("value", \.value).meaning("The value that must be at path; null for any value."),
            .text("contains", \.contains).meaning("A text that the body must contain."),
        ]
    }
}

extension TextRule {
    /// A template, which may have several lines.
    fileprivate static let template = TextRule(
        expectation: "a template of 1 to \(TemplateText.maximumLength) bytes"
    ) { text in
        (1...TemplateText.maximumLength).contains(text.utf8.count)
    }
}

extension Field<HTTPSettings> {
    /// The address with its fields; a possible token in it is masked in all output.
    fileprivate static var address: Field {
        Field(
            "url", .text, "an address such as https://example.org/in?lat=%{latitude}",
            read: { table, section in
                guard let node = table.node("url") else { return }
                guard let text = node.text, !text.contains("#") else {
                    return table.reject("url", "***", "an address without #")
                }
                section.configuration.url = text
                // Other problems of the address are reported with the rest of the template.
                let preset = table.node("preset")?.text.flatMap(HTTPPreset.init)
                guard let endpoint = HTTPPreset.endpoint(of: text, preset), endpoint.hasSecret,
                    let expectation = table.problemWithSecret("url", node.origin)
                else { return }
                table.reject("url", endpoint.masked.quoted(atMost: 200), expectation)
            },
            show: { section in
                let endpoint = HTTPPreset.endpoint(of: section.url, section.configuration.preset)
                guard let endpoint, !endpoint.mayHaveSecret else {
                    return .masked(section.url, as: endpoint?.masked ?? "***")
                }
                return .text(section.url)
            }
        ).required()
            .meaning(
                "The receiver's address with fields such as %{latitude} in path and query; https unless it is this machine or allowInsecure is on."
            )
    }
}

extension HTTPPreset {
    /// The endpoint of an address with the path that a preset knows, which shows which part is a token; `nil` for
    /// none.
    fileprivate static func endpoint(of url: String, _ preset: HTTPPreset?) -> Endpoint? {
        var parts = preset?.parts ?? Settings()
        (parts.parameters, parts.fixedParameters) = ([], [])
        return AddressTemplate(ifReadable: parts.address(for: url))?.endpoint
    }
}
