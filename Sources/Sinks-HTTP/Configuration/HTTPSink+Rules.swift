package import TrackEngine
import TrackEngineSettings

extension HTTPSink.Configuration {
    /// All problems that can be found without reading a file.
    package var problems: [ConfigurationProblem] { ConfigurationCheck.problems { _ = $0.rules(of: self) } }
}

extension ConfigurationCheck {
    /// Checks all rules that do not depend on files. Returns `nil` for templates that cannot be used.
    mutating func rules(of configuration: HTTPSink.Configuration) -> RequestTemplate? {
        let template = template(of: configuration)
        if let template {
            _ = endpoint(template.address.endpoint.text, allowInsecure: configuration.allowInsecure)
        }
        text("deviceID", configuration.deviceID.rawValue, .receiverDevice)
        rules(of: configuration.credentials)
        httpTimeout(configuration.httpTimeout)
        if let success = configuration.success { rules(of: success) }
        if configuration.kinds.isEmpty { problem("kinds", "[]", "at least one kind of record") }
        if let preset = configuration.preset, configuration.kinds != .location {
            problem("kinds", "more than location", "location alone, which is all that preset \(preset.rawValue) knows")
        }
        if configuration.places.count > 1000 {
            problem("places", "\(configuration.places.count) places", "at most 1000")
        }
        rules(of: configuration.tls.files, for: template?.address.endpoint)
        return template
    }

    private mutating func template(of configuration: HTTPSink.Configuration) -> RequestTemplate? {
        let url = configuration.url
        let isAppLink = configuration.body == nil && !url.contains("%{") && ReceiverAddress.hasPlaceholders(url)
        let appLink = "preset: phonetrack or gpslogger for a link with %LAT, or %{latitude} in its place"
        if let expectation = configuration.preset.map({ $0.problem(of: url) }) ?? (isAppLink ? appLink : nil) {
            problem("url", "***", expectation)
            return nil
        }
        do throws(RequestTemplate.Malformed) {
            return try RequestTemplate(configuration)
        } catch {
            problem(error.key, error.value, error.expectation)
            return nil
        }
    }

    private mutating func rules(of success: HTTPSink.Configuration.SuccessRule) {
        if let status = success.status { range("success.status", status, 200...299) }
        if let path = success.path, path.split(separator: ".", omittingEmptySubsequences: false).contains("") {
            problem("success.path", path.quoted(atMost: 64), "names and places with dots between, such as result")
        }
        if let value = success.value, success.path == nil {
            problem("success.value", value.quoted(atMost: 64), "a success.path at which it is looked for")
        }
        if success.contains == "" { problem("success.contains", "(empty)", "a text that the reply must contain") }
    }
}
