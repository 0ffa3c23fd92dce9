import HTTPTypes
import Hummingbird
import TrackEngineSettings

/// The proxies in front of the server, which may report the origin of a request.
///
/// Of the fields that proxies add, the client's address (`X-Forwarded-For`), the protocol (`X-Forwarded-Proto`) and
/// the requested name (`X-Forwarded-Host`) are used. In a list that several proxies wrote, the last entry counts.
/// From other machines these fields are ignored.
struct ProxyList: Sendable {
    private let ranges: [NetworkRange]
    /// Whether only requests from this machine and the proxies are answered, because the server has no TLS for
    /// others.
    private let refusesOthers: Bool

    init(_ configuration: ServerConfiguration) {
        ranges = configuration.trustedProxies.compactMap(NetworkRange.init)
        let hasTLS = configuration.tls.certificate != nil
        refusesOthers = !hasTLS && !configuration.allowInsecure && !configuration.host.isLoopbackHost
    }

    private static let thisMachine = ["127.0.0.0/8", "::1"].compactMap(NetworkRange.init)

    /// Whether a request may be answered at all.
    func admits(_ context: some RequestContext) -> Bool {
        guard refusesOthers, let address = context.address else { return true }
        return Self.thisMachine.contains { $0.contains(address) } || isProxy(address)
    }

    /// Returns the requested name.
    func host(of request: Request, _ context: some RequestContext) -> String? {
        forwarded("X-Forwarded-Host", request, context) ?? request.head.authority
    }

    /// Whether the request came to a proxy with TLS.
    func isSecure(_ request: Request, _ context: some RequestContext) -> Bool {
        forwarded("X-Forwarded-Proto", request, context)?.lowercased() == "https"
    }

    /// Returns the address that a request comes from: as the last proxy reports it, or that of the connection.
    func client(of request: Request, _ context: some RequestContext) -> String {
        forwarded("X-Forwarded-For", request, context) ?? context.address ?? "an unknown address"
    }

    private func forwarded(_ name: String, _ request: Request, _ context: some RequestContext) -> String? {
        guard let address = context.address, isProxy(address), let name = HTTPField.Name(name) else { return nil }
        return request.headers[name]?.split(separator: ",").last.map { String($0.filter { $0 != " " }) }
    }

    private func isProxy(_ address: String) -> Bool { ranges.contains { $0.contains(address) } }
}

extension RequestContext {
    /// The address that the request comes from, where the application keeps it.
    fileprivate var address: String? { (self as? any RemoteAddressRequestContext)?.remoteAddress?.ipAddress }
}
