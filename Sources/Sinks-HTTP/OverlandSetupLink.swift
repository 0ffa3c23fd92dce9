public import TrackEngine
import TrackEngineSettings

/// An `overland://setup?url=…&token=…&device_id=…` link, as receivers print it for the Overland app.
///
/// A property that the link does not mention is `nil` and leaves the setting unchanged. Values are percent-decoded,
/// and a plus sign is a plus sign. `header_<Name>=…` is an extension of some servers. Unknown parameters are listed,
/// not rejected. Names are read in any case.
public struct OverlandSetupLink: Sendable, Hashable {
    /// The receiver's address, which may contain a token itself. Empty: no receiver.
    public var url: Secret?
    /// The token; empty means none.
    public var token: Secret?
    /// The device's name.
    public var deviceID: DeviceID?
    /// Whether records carry the device's own unique id.
    public var uniqueID: Bool?
    /// Header fields for each request, in the link's order.
    public var headers: [HeaderField]
    /// The names of unknown parameters.
    public private(set) var unknownParameters: [String] = []

    /// A link that mentions all values that are not `nil`.
    public init(
        url: Secret? = nil, token: Secret? = nil, deviceID: DeviceID? = nil, uniqueID: Bool? = nil,
        headers: [HeaderField] = []
    ) {
        self.url = url
        self.token = token
        self.deviceID = deviceID
        self.uniqueID = uniqueID
        self.headers = headers
    }

    /// The reason why a text is not a setup link; it never repeats a value.
    public struct Malformed: Error, Sendable, Hashable, CustomStringConvertible {
        /// The expected form.
        public let description: String
    }

    /// The longest accepted link, in bytes.
    public static let maximumLength = 8192
    /// The largest accepted number of parameters.
    public static let maximumParameters = 64

    /// Reads a link.
    ///
    /// - Throws: ``Malformed`` for another scheme or action, a broken escape, a parameter given twice, a header that
    ///   cannot be sent, or an exceeded limit.
    public init(_ text: some StringProtocol) throws(Malformed) {
        self.init()
        guard text.utf8.count <= Self.maximumLength else {
            throw Malformed(description: "expected at most \(Self.maximumLength) bytes")
        }
        let withoutFragment = text.prefix { $0 != "#" }
        let parts = withoutFragment.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first, ["overland://setup", "overland://setup/"].contains(address.lowercased()) else {
            throw Malformed(description: "expected a link that begins with overland://setup?")
        }
        let parameters = parts.count == 2 ? parts[1].split(separator: "&") : []
        guard parameters.count <= Self.maximumParameters else {
            throw Malformed(description: "expected at most \(Self.maximumParameters) parameters")
        }
        var seen: Set<String> = []
        for parameter in parameters { try take(parameter, &seen) }
    }

    private mutating func take(_ parameter: some StringProtocol, _ seen: inout Set<String>) throws(Malformed) {
        let pair = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = PercentEncoding.decoded(pair[0]),
            let value = PercentEncoding.decoded(pair.count == 2 ? String(pair[1]) : "")
        else { throw Malformed(description: "expected %XX escapes of UTF-8 text in every parameter") }
        let key = name.lowercased()
        guard seen.insert(key).inserted else { throw Malformed(description: "expected each parameter once") }
        switch key {
        case "url": url = Secret(value)
        case "token": token = Secret(value)
        case "device_id": deviceID = DeviceID(rawValue: value)
        case "unique_id": uniqueID = value == "yes"
        case _ where key.hasPrefix("header_"):
            let field = HeaderField(name: String(name.dropFirst(7)), value: Secret(value))
            guard field.problemWithName == nil, field.hasValidValue else {
                throw Malformed(description: "expected headers that a request may carry")
            }
            headers.append(field)
        default: unknownParameters.append(name)
        }
    }

    /// The link itself, with all its values in plain text.
    public var revealed: String {
        var parameters: [(String, String)] = []
        if let url { parameters.append(("url", url.revealed)) }
        if let token { parameters.append(("token", token.revealed)) }
        if let deviceID { parameters.append(("device_id", deviceID.rawValue)) }
        if let uniqueID { parameters.append(("unique_id", uniqueID ? "yes" : "no")) }
        parameters += headers.map { ("header_\($0.name)", $0.value.revealed) }
        let query = parameters.map { "\(PercentEncoding.encoded($0))=\(PercentEncoding.encoded($1))" }
        return "overland://setup?" + query.joined(separator: "&")
    }

    /// The links `overland://setup?…` for an agent's `setup`.
    static let format = SetupLink.Format(prefix: "overland://setup") { text throws(SetupLink.Malformed) in
        do throws(Malformed) { return try OverlandSetupLink(text).forSetup() } catch {
            throw SetupLink.Malformed("\(error)")
        }
    }

    /// The parts of the link for which a configuration has keys; `unique_id` and unknown parameters have none.
    private func forSetup() throws(Malformed) -> SetupLink {
        var link = SetupLink()
        link.url = try url.map { url throws(Malformed) in Secret(try Self.line("url", url.revealed)) }
        link.token = token
        if let token, !token.revealed.isEmpty { _ = try Self.line("token", token.revealed) }
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
