package import TrackEngine

/// An `overland://setup?url=…&token=…&device_id=…` link, as receivers print it for the Overland app.
///
/// What it does not mention is `nil` and stays as it is. Values are percent-decoded; a plus sign is a plus sign.
package struct SetupLink: Sendable, Hashable {
    /// The receiver's address, which may hold a token itself.
    package var url: Secret?
    /// The bearer token.
    package var token: Secret?
    /// The device's name.
    package var deviceID: String?
    /// `header_<Name>=…`, an extension of some servers, in the link's order.
    package var headers: [Header] = []
    /// Names of parameters that mean nothing to the agent, such as `unique_id`.
    package var ignored: [String] = []

    /// A header field for each request.
    package struct Header: Sendable, Hashable {
        package let name: String
        package let value: Secret
    }

    /// Why a text is no setup link; it never repeats a value.
    package struct Malformed: Error, Sendable, Hashable, CustomStringConvertible {
        package let description: String
    }

    /// Reads a link of at most 8192 bytes.
    package init(_ text: String) throws(Malformed) {
        guard text.utf8.count <= 8192 else { throw Malformed(description: "expected a link of at most 8192 bytes") }
        let parts = text.prefix { $0 != "#" }.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first, ["overland://setup", "overland://setup/"].contains(address.lowercased()) else {
            throw Malformed(description: "expected a link that begins with overland://setup?")
        }
        var names: Set<String> = []
        for parameter in parts.count == 2 ? parts[1].split(separator: "&") : [] {
            let pair = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = String(percentDecoding: pair[0]),
                let value = String(percentDecoding: pair.count == 2 ? pair[1] : "")
            else { throw Malformed(description: "expected %XX escapes of UTF-8 text in every parameter") }
            guard names.insert(name.lowercased()).inserted else {
                throw Malformed(description: "expected each parameter once")
            }
            try take(name, value)
        }
        guard url != nil || token != nil || deviceID != nil || !headers.isEmpty else {
            throw Malformed(description: "expected a link with url, token, device_id or header_…")
        }
    }

    private mutating func take(_ name: String, _ value: String) throws(Malformed) {
        func line() throws(Malformed) -> String {
            if TextRule.line.isSatisfied(by: value) { return value }
            throw Malformed(
                description: "expected \(TextRule.line.expectation) as \(name.shownAsKey); left out, it stays as it is")
        }
        switch name {
        case "url": url = Secret(try line())
        case "token": token = Secret(try line())
        case "device_id": deviceID = try line()
        case _ where name.hasPrefix("header_"):
            headers.append(Header(name: String(name.dropFirst("header_".count)), value: Secret(try line())))
        default: ignored.append(name.shownAsKey)
        }
    }
}

extension String {
    /// Undoes `%XX`; `nil` for a broken escape or bytes that are no UTF-8.
    fileprivate init?(percentDecoding text: Substring) {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let digits = String(rest.prefix(2)), digits.utf8.allSatisfy(\.isAlphanumeric),
                let value = UInt8(digits, radix: 16)
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        self.init(validating: bytes, as: UTF8.self)
    }
}
