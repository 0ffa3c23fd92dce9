import Glibc
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
public import NIOCore
import NIOSSL
import ServiceLifecycle
import TrackEngine
import TrackEngineSettings

extension TrackServer {
    /// Listens until the task is cancelled or a service group ends it. Then it takes no more connections, lets
    /// requests under way finish for a few seconds, and returns.
    ///
    /// - Parameter onListening: called once with the address, which has the port that the system chose for port 0.
    /// - Throws: ``ServerError`` for a refused configuration, and the system's error when the address is taken.
    public func run(onListening: @escaping @Sendable (SocketAddress?) async -> Void = { _ in }) async throws {
        if let problem = configuration.problem {
            throw ServerError("\(problem.key): expected \(problem.expectation)")
        }
        var applications: [any Service] = []
        // First, so that the page's address is announced only after all ports are open.
        let rootPort = AsyncStream<Void>.makeStream()
        if let port = configuration.osmAndPort {
            let router = Router(context: ServerContext.self, options: .autoGenerateHeadEndpoints)
            addOsmAndRoutes(inside: router)
            let application = try application(router, port: port) { _ in rootPort.continuation.yield() }
            applications.append(NamedPort(application: application, key: "osmandPort", port: port))
        } else {
            rootPort.continuation.yield()
        }
        let router = Router(context: ServerContext.self, options: .autoGenerateHeadEndpoints)
        addRoutes(inside: router)
        applications.append(
            try application(router, port: configuration.port) { address in
                for await _ in rootPort.stream { return await onListening(address) }
            })
        var services = ServiceGroupConfiguration(services: applications, logger: quietLogger)
        services.maximumGracefulShutdownDuration = Self.patienceAtTheEnd
        let group = ServiceGroup(configuration: services)
        // Unstructured, because a cancelled task would cut requests off: a cancellation triggers a graceful shutdown
        // instead.
        let running = Task { try await group.run() }
        try await withTaskCancellationHandler {
            try await running.value
        } onCancel: {
            Task { await group.triggerGracefulShutdown() }
        }
    }

    /// How long requests under way may take when the server ends.
    private static let patienceAtTheEnd = Duration.seconds(5)

    /// An application that listens on a port.
    private func application(
        _ router: Router<ServerContext>, port: Int,
        onListening: @escaping @Sendable (SocketAddress?) async -> Void
    ) throws(ServerError) -> some ApplicationProtocol {
        // The name could resolve to another address than loopback.
        let host = configuration.host == "localhost" ? "127.0.0.1" : configuration.host
        var application = ApplicationConfiguration(address: .hostname(host, port: port))
        let limit = ServerConfiguration.connectionLimit / (configuration.osmAndPort == nil ? 1 : 2)
        application.availableConnectionsDelegate = ConnectionLimiter(
            .maximum(limit, logger: quietLogger), metrics.connections)
        // The others are for connections that are accepted before those that are closed for them have ended.
        let shares = AddressLimiter(
            limit: limit - max(1, limit / 16), exempt: configuration.trustedProxies.compactMap(NetworkRange.init))
        return Application(
            router: router, server: try makeListener(shares), configuration: application,
            onServerRunning: { await onListening($0.localAddress) }, logger: quietLogger)
    }

    /// The logger for the libraries below, which log each start, and an occasional error at an orderly end. The
    /// server itself logs the messages that a person needs.
    private var quietLogger: Logger {
        var logger = logger
        logger.logLevel = .critical
        return logger
    }

    private func makeListener(_ shares: AddressLimiter) throws(ServerError) -> HTTPServerBuilder {
        let seconds = ServerConfiguration.idleTimeout.components.seconds
        let plain = HTTP1Channel.Configuration(
            additionalChannelHandlers: [HTTP10HandlerSetup(), RequestDeadline(shares: shares)],
            idleTimeout: .seconds(seconds),
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: 8192, maxHeaderListSize: 16_384, maxHeaderFieldCount: 64))
        guard var tls = try configuration.makeTLS() else {
            return HTTPServerBuilder { responder in
                ConnectionSetup(base: HTTP1Channel(responder: responder, configuration: plain))
            }
        }
        tls.sslContextCallback = CertificateMonitor(configuration, logger).callback
        let encrypted = tls
        return HTTPServerBuilder { responder in
            ConnectionSetup(
                base: try TLSChannel(
                    HTTP1Channel(responder: responder, configuration: plain), tlsConfiguration: encrypted))
        }
    }
}

/// An application on a port of its own. Its errors name the key of the configuration that it belongs to.
private struct NamedPort<Wrapped: ApplicationProtocol>: Service {
    let application: Wrapped
    let key: String
    let port: Int

    func run() async throws {
        do { try await application.run() } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw ServerError(key, "\(port)", "a port that no other program has")
        }
    }
}

extension ServerConfiguration {
    /// Reads certificate and key; `nil` where the server speaks plainly.
    func makeTLS() throws(ServerError) -> TLSConfiguration? {
        guard let certificate = tls.certificate, let key = tls.key else { return nil }
        let chain: [NIOSSLCertificate]
        do { chain = try NIOSSLCertificate.fromPEMBytes(try Self.read(certificate).bytes) } catch {
            throw ServerError(
                "tls.certificate", certificate.quoted(atMost: 200), "a file with a certificate in PEM form")
        }
        let kept: FileContent
        do { kept = try Self.read(key) } catch {
            throw ServerError("tls.key", key.quoted(atMost: 200), "a file that exists and can be read")
        }
        // systemd gives credentials by an access list, which shows as a group that may read.
        let credentials = getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) + "/" }
        guard kept.status.isPrivate || credentials.map(key.hasPrefix) ?? false else {
            throw ServerError("tls.key", key.quoted(atMost: 200), "a file that its owner alone may read")
        }
        do {
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(bytes: kept.bytes, format: .pem)))
            configuration.minimumTLSVersion = .tlsv12
            configuration.cipherSuites = Self.suitesWithAEAD
            _ = try NIOSSLContext(configuration: configuration)  // which compares the two
            return configuration
        } catch {
            throw ServerError("tls.key", key.quoted(atMost: 200), "the certificate's private key in PEM form")
        }
    }

    /// Reads a regular file: a pipe would block the handshake, and with it all others.
    private static func read(_ path: String) throws(FileContent.Failure) -> FileContent {
        try FileContent.read(path, limit: 1 << 20, .followsLinks)
    }

    /// Suites of TLS 1.2 that encrypt and authenticate in one, with keys of one connection (RFC 9325, section 4.2);
    /// those of TLS 1.3 all do.
    private static let suitesWithAEAD = "ECDHE+AESGCM:ECDHE+CHACHA20"

    /// The first problem: the key, and the expected value.
    var problem: (key: String, expectation: String)? {
        let hasTLS = tls.certificate != nil && tls.key != nil
        if (tls.certificate == nil) != (tls.key == nil) { return ("tls", "both certificate and key") }
        guard hasTLS || allowInsecure || host.isLoopbackHost || !trustedProxies.isEmpty else {
            return (
                "host",
                "a loopback address, or tls, or trustedProxies, or allowInsecure: other machines would send tokens in the clear"
            )
        }
        guard (0...65_535).contains(port) else { return ("port", "0 to 65535") }
        guard osmAndPort.map((1...65_535).contains) ?? true, osmAndPort != port else {
            return ("osmandPort", "1 to 65535, and not the key 'port'")
        }
        guard trustedProxies.allSatisfy({ NetworkRange($0) != nil }) else {
            return ("trustedProxies", "addresses or ranges such as 10.0.0.0/8")
        }
        let paths = overlandPaths.map { "/" + $0.split(separator: "/").joined(separator: "/") }
        let firsts = paths.map { "/" + ($0.split(separator: "/").first ?? "") }
        guard Set(paths).count == paths.count,
            zip(paths, firsts).allSatisfy({ !Self.ownPaths.contains($1) || $1 == "/api" && $0 == "/api/input" })
        else { return ("overlandPaths", "paths that are not the server's own, each once") }
        return nil
    }
}
