import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// The listening socket, on the loopback interface only.
struct Server {
    let channel: any Channel

    var port: Int { channel.localAddress?.port ?? 0 }

    init(_ options: Options, desk: Desk, group: any EventLoopGroup) async throws {
        let tls = try Self.tls(options)
        channel = try await ServerBootstrap(group: group)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try Self.prepare(channel, tls, desk) }
            }
            .bind(host: "127.0.0.1", port: options.port).get()
    }

    private static func prepare(_ channel: any Channel, _ tls: NIOSSLContext?, _ desk: Desk) throws {
        let pipeline = channel.pipeline.syncOperations
        if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
        try pipeline.addHandler(HTTPResponseEncoder(), name: ConnectionHandler.encoderName)
        try pipeline.addHandler(ByteToMessageHandler(HTTPRequestDecoder()))
        try pipeline.addHandler(ConnectionHandler(desk: desk))
    }

    private static func tls(_ options: Options) throws -> NIOSSLContext? {
        guard let certificate = options.certificate, let key = options.key else { return nil }
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem)))
        if let authority = options.clientAuthority {
            tls.trustRoots = .file(authority)
            tls.certificateVerification = .noHostnameVerification
        }
        return try NIOSSLContext(configuration: tls)
    }
}
