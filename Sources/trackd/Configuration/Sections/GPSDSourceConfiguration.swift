/// `{type: gpsd, host: localhost, port: 2947}`: a running gpsd.
package struct GPSDSourceConfiguration: SourceKind {
    package static let type = "gpsd"

    /// The host's name or address. Default localhost.
    package var host = "localhost"
    /// The TCP port, 1 to 65535. Default 2947.
    package var port: UInt16 = 2947
    /// The path of the receiver to use, for example `/dev/ttyACM0`. Default: all that gpsd has.
    package var device: String?

    package init() {}

    package static let fields: [Field<Self>] = [
        .text("host", \.host, .host),
        .integer("port", \.port, 1...65_535),
        .text("device", \.device),
    ]
}

extension TextRule {
    /// A host's name, an IPv4 or an IPv6 address.
    static let host = TextRule(expectation: "a host name or an IP address") { text in
        let isPlain = text.utf8.allSatisfy { $0.isAlphanumeric || "-_.:%".utf8.contains($0) }
        return isPlain && (1...253).contains(text.utf8.count)
    }
}
