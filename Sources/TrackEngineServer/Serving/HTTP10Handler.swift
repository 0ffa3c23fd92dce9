import NIOCore
import NIOHTTP1

/// Replies to HTTP/1.0 in a form that it has: no chunks, no compression, and the connection ends behind the reply
/// (RFC 9112, sections 6.1 and 9.3).
///
/// Hummingbird's requests lack their version, so this handler is below the place where they are made. They also lack
/// the host of an absolute address (RFC 9112, section 3.2.2): where it differs from `Host`, a second `Host` field
/// marks this.
final class HTTP10Handler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// The version of the connection's first request.
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
    /// True when the address is absolute and its host differs from the named one, or is missing.
    fileprivate var hasAddressOfAnotherHost: Bool {
        guard !uri.hasPrefix("/"), uri != "*" else { return false }
        let scheme = uri.prefix { $0 != ":" }.lowercased()
        guard scheme == "http" || scheme == "https", uri.dropFirst(scheme.count).hasPrefix("://") else { return true }
        let host = uri.dropFirst(scheme.count + 3).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        return host.lowercased() != headers["Host"].first?.lowercased()
    }
}

/// Puts ``HTTP10Handler`` in its place, which is below those where Hummingbird adds handlers.
final class HTTP10HandlerSetup: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    func handlerAdded(context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        do {
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandler(HTTP10Handler(), position: .after(decoder))
        } catch {
            context.fireErrorCaught(error)
        }
    }
}
