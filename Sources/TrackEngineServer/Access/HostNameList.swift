import TrackEngineSettings

/// The names under which the server may be reached, as a protection against foreign pages that point their own name
/// to it (DNS rebinding).
struct HostNameList: Sendable, Hashable {
    private let names: Set<String>

    /// The names that a configuration gives, in any case; loopback addresses and the address that the server listens
    /// on count always.
    init(_ names: [String], listeningOn host: String) {
        self.names = Set((names + [host]).map { $0.lowercased() })
    }

    /// Returns whether a request with this `Host` field is for this server. An IP address always is: unlike a name,
    /// it cannot be pointed to another machine.
    func contain(_ field: String?) -> Bool {
        guard let field, let place = try? HostAndPort(field[...]) else { return false }  // no host: not for this server
        return place.host.isLoopbackHost || place.host.contains(":") || isAddress(place.host)
            || names.contains(place.host)
    }

    private func isAddress(_ host: String) -> Bool {
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
        return numbers.count == 4 && numbers.allSatisfy { UInt8($0) != nil }
    }
}
