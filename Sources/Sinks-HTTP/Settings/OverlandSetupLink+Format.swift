import TrackEngine
import TrackEngineSettings

extension OverlandSetupLink {
    /// The links `overland://setup?…` for an agent's `setup`.
    static let format = SetupLink.Format(prefix: "overland://setup") { text throws(SetupLink.Malformed) in
        do throws(Malformed) { return try OverlandSetupLink(text).forSetup() } catch {
            throw SetupLink.Malformed("\(error)")
        }
    }

    /// What of the link a configuration can hold: `unique_id` and what is unknown has no key there.
    private func forSetup() throws(Malformed) -> SetupLink {
        var link = SetupLink()
        link.url = try url.map { url throws(Malformed) in Secret(try Self.line("url", url.revealed)) }
        link.token = try token.map { token throws(Malformed) in Secret(try Self.line("token", token.revealed)) }
        link.deviceID = try deviceID.map { id throws(Malformed) in try Self.line("device_id", id.rawValue) }
        for field in headers {
            let value = try Self.line("header_\(field.name)", field.value.revealed)
            link.headers.append(.init(name: field.name, value: Secret(value)))
        }
        link.ignored = (uniqueID == nil ? [] : ["unique_id"]) + unknownParameters.map(\.shownAsKey)
        guard link.url != nil || link.token != nil || link.deviceID != nil || !link.headers.isEmpty else {
            throw Malformed(description: "expected a link with url, token, device_id or header_…")
        }
        return link
    }

    private static func line(_ name: String, _ value: String) throws(Malformed) -> String {
        if TextRule.line.isSatisfied(by: value) { return value }
        throw Malformed(
            description: "expected \(TextRule.line.expectation) as \(name.shownAsKey); left out, it stays as it is")
    }
}
