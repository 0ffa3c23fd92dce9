import NIOCore
import NIOHTTP1

/// Replies to HTTP/1.0 in a form that it has: no chunks, nothing compressed, and the connection ends behind the reply (RFC 9112,
/// sections 6.1 and 9.3).
///
/// Hummingbird's requests do not say their version, so it stands below where they are made. Nor do they say the host of an absolute
/// address (RFC 9112, section 3.2.2): where it is another one than `Host` names, a second field says so.
final class OlderClients: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// What the connection's first request says.
    private var version: HTTPVersion?

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        version = version ?? head.version
        if head.hasAddressOfAnotherHost { head.headers.add(name: "Host", value: "") }
        guard version == .http1_0 else { return context.fireChannelRead(wrapInboundOut(.head(head))) }
        head.headers.remove(name: "Accept-Encoding")
        head.headers.replaceOrAdd(name: "Connection", value: "close")
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard version == .http1_0, case .head(var head) = unwrapOutboundIn(data) else {
            return context.write(data, promise: promise)
        }
        head.version = .http1_0
        head.headers.replaceOrAdd(name: "Connection", value: "close")
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }
}

extension HTTPRequestHead {
    /// Whether an address stands in the place of the path, and is of another host than the one that is named, or of none.
    fileprivate var hasAddressOfAnotherHost: Bool {
        guard !uri.hasPrefix("/"), uri != "*" else { return false }
        let scheme = uri.prefix { $0 != ":" }.lowercased()
        guard scheme == "http" || scheme == "https", uri.dropFirst(scheme.count).hasPrefix("://") else { return true }
        let host = uri.dropFirst(scheme.count + 3).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        return host.lowercased() != headers["Host"].first?.lowercased()
    }
}

/// Puts ``OlderClients`` in its place, which is below those where Hummingbird adds handlers.
final class OlderClientsPlacement: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    func handlerAdded(context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        do {
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandler(OlderClients(), position: .after(decoder))
        } catch {
            context.fireErrorCaught(error)
        }
    }
}
