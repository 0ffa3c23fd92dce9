import HTTPTypes
import Hummingbird
import TrackEngineSettings

/// Which machines may say how a request came to them: proxies in front of the server.
///
/// Of what proxies add, the way to them (`X-Forwarded-Proto`) and the name that was asked for (`X-Forwarded-Host`) are used; of
/// a list, as several proxies write it, what the last one added. From other machines these fields say nothing.
struct ProxyTrust: Sendable {
    private let ranges: [NetworkRange]
    /// Whether requests from elsewhere than this machine and the proxies are refused: the server speaks plainly for those alone.
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

    /// The name that was asked for.
    func host(of request: Request, _ context: some RequestContext) -> String? {
        forwarded("X-Forwarded-Host", request, context) ?? request.head.authority
    }

    /// Whether the request came to a proxy with TLS.
    func isSecure(_ request: Request, _ context: some RequestContext) -> Bool {
        forwarded("X-Forwarded-Proto", request, context)?.lowercased() == "https"
    }

    /// The address that a request comes from: what the last proxy says of it, or who is connected.
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
