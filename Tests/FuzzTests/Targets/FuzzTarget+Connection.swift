import NIOCore
import NIOEmbedded
import NIOHTTP1
import TrackEngineHTTP

extension FuzzTarget {
    /// A reply as the bytes of a connection, up to what AsyncHTTPClient is handed: NIO's parser and our guard. The first
    /// byte chooses how the rest is cut. However it is cut, the same comes of it, and never what AsyncHTTPClient traps on.
    static let httpResponse = FuzzTarget(name: "http-response") { bytes in
        guard let first = bytes.first else { return }
        let reply = Array(bytes.dropFirst())
        let whole = WireReply(of: [reply])
        for length in [1, 2 + Int(first)] {
            let cut = WireReply(of: Chunks.of(reply, length: length))
            precondition(cut == whole, "in pieces of \(length) bytes: \(cut), at once: \(whole)")
        }
    }
}

/// What the parser and the guard make of the bytes of a reply.
private struct WireReply: Equatable {
    var heads: [HTTPResponseHead] = []
    var body: [UInt8] = []
    var ends = 0
    /// The kind of the first error; its text may name a place.
    var error: String?

    init(of pieces: [[UInt8]]) {
        let recorder = ReplyRecorder()
        let channel = EmbeddedChannel()
        let pipeline = channel.pipeline.syncOperations
        // As AsyncHTTPClient puts them together (HTTP1Connection.swift), with our guard where DeliveryClient inserts
        // it.
        let parser = HTTPResponseDecoder(leftOverBytesStrategy: .dropBytes, informationalResponseStrategy: .forward)
        do {
            try pipeline.addHandlers(HTTPRequestEncoder(), ByteToMessageHandler(parser), ReplyGuard(), recorder)
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 80)).wait()
            let head = HTTPRequestHead(version: .http1_1, method: .POST, uri: "/input", headers: ["host": "r.example"])
            try channel.writeOutbound(HTTPClientRequestPart.head(head))
            try channel.writeOutbound(HTTPClientRequestPart.end(nil))
        } catch {
            preconditionFailure("no connection: \(error)")
        }
        for piece in pieces where recorder.reply.error == nil && channel.isActive {
            _ = try? channel.writeInbound(ByteBuffer(bytes: piece))  // the recorder has the error
        }
        _ = try? channel.finish(acceptAlreadyClosed: true)  // as above
        self = recorder.reply
    }

    fileprivate init() {}
}

/// Notes what reaches AsyncHTTPClient's place, and that it is what AsyncHTTPClient expects.
private final class ReplyRecorder: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private(set) var reply = WireReply()
    private var isReceiving = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard reply.error == nil else { return }  // AsyncHTTPClient closes the connection with the first error
        switch unwrapInboundIn(data) {
        case .head(let head):
            precondition(!isReceiving, "a head inside a response")
            precondition((100...999).contains(head.status.code) && head.status != .switchingProtocols, "\(head.status)")
            isReceiving = head.status.code >= 200
            reply.heads.append(head)
            precondition(
                reply.heads.count <= 1 + ReplyGuard.maximumInterimResponses || reply.ends > 0,
                "endless interim heads")
        case .body(let part):
            precondition(isReceiving, "a body without a response")
            reply.body += part.readableBytesView
        case .end:
            precondition(isReceiving || reply.heads.last.map { $0.status.code < 200 } == true, "an end of nothing")
            if isReceiving { reply.ends += 1 }
            isReceiving = false
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if reply.error == nil { reply.error = "\(type(of: error))" }
    }
}
