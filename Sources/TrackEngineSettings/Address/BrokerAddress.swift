/// The address of an MQTT broker, `mqtts://host:8883`, checked as far as a configuration needs it.
package struct BrokerAddress: Hashable {
    /// Whether it is `mqtts`, MQTT over TLS.
    package let isSecure: Bool
    /// The host, lower case, without the brackets of IPv6.
    package let host: String
    /// The port, where the address has one.
    package let port: Int?

    /// The expectation for an address.
    package static let expectation = Malformed.notAnAddress.rawValue

    /// The reason why a text is not an address. The text itself may hold a password and is not repeated.
    package enum Malformed: String, Error {
        case notAnAddress = "an address such as mqtts://broker.example.org:8883"
        case credentials = "no user and password in the address, but username and password"
        case path = "an address without anything after the port; topics go by base and topic"
        case port = "a port of 1 to 65535"
    }

    /// The address, or `nil` for a caller that has already reported why a text is not an address.
    package init?(ifReadable text: String) {
        do throws(Malformed) { try self.init(text) } catch { return nil }
    }

    package init(_ text: String) throws(Malformed) {
        guard (1...4096).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            throw .notAnAddress
        }
        let scheme = text.prefix { $0 != ":" }.lowercased()
        guard ["mqtt", "mqtts"].contains(scheme), text.dropFirst(scheme.count).hasPrefix("://") else {
            throw .notAnAddress
        }
        isSecure = scheme == "mqtts"
        var authority = text.dropFirst(scheme.count + 3)
        guard !authority.contains("@") else { throw .credentials }
        if authority.last == "/" { authority.removeLast() }
        guard !authority.contains(where: { "/?#".contains($0) }) else { throw .path }
        do throws(HostAndPort.Malformed) {
            let place = try HostAndPort(authority)
            (host, port) = (place.host, place.port)
        } catch {
            throw error == .port ? .port : .notAnAddress
        }
    }
}
