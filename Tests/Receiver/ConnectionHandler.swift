import Foundation
import NIOCore
import NIOHTTP1

/// Collects requests of one connection, asks the desk and writes the answer.
final class ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let desk: Desk
    private var request: Request?
    private var drip: RepeatedTask?

    init(desk: Desk) {
        self.desk = desk
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            request = Request(
                client: context.remoteAddress?.port ?? 0, method: head.method.rawValue, target: head.uri,
                headers: head.headers.map { ($0.name, $0.value) })
        case .body(let bytes): request?.body.append(contentsOf: bytes.readableBytesView)
        case .end:
            guard let request = request.take() else { return }
            do {
                send(try desk.answer(request), context)
            } catch {
                FileHandle.standardError.write(Data("cannot write the log: \(error)\n".utf8))
                exit(1)  // a receiver that forgets would make tests lie
            }
        }
    }

    private func send(_ answer: Answer, _ context: ChannelHandlerContext) {
        switch answer {
        case .reply(let status, let body, let type, let extra): reply(status, body, type, extra, context)
        case .raw(let text): raw(text, context)
        case .silence: break
        case .drip: startDripping(context)
        case .flood:
            startBody(context)
            flood(context)
        case .reset:
            // Closing with data unread, or without lingering, makes the kernel send RST.
            if let channel = context.channel as? any SocketOptionProvider {
                let pipeline = context.channel
                channel.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in pipeline.close(promise: nil) }
            } else {
                context.close(promise: nil)
            }
        case .hangUp: context.close(promise: nil)
        }
    }

    private func reply(
        _ status: Int, _ body: String, _ type: String, _ extra: (name: String, value: String)?,
        _ context: ChannelHandlerContext
    ) {
        var headers = HTTPHeaders([("Content-Length", "\(body.utf8.count)")])
        if !body.isEmpty { headers.add(name: "Content-Type", value: type) }
        if let extra { headers.add(name: extra.name, value: extra.value) }
        if status == 204 { headers.remove(name: "Content-Length") }
        let head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: status), headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: body)))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    private func raw(_ text: String, _ context: ChannelHandlerContext) {
        let channel = context.channel
        // Past the encoder: the head of the pipeline takes bytes.
        channel.pipeline.context(name: ConnectionHandler.encoderName).whenSuccess { encoder in
            encoder.writeAndFlush(NIOAny(ByteBuffer(string: text))).whenComplete { _ in channel.close(promise: nil) }
        }
    }

    private func startBody(_ context: ChannelHandlerContext) {
        let head = HTTPResponseHead(
            version: .http1_1, status: .ok, headers: ["Content-Type": "application/json"])
        context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
    }

    private func startDripping(_ context: ChannelHandlerContext) {
        startBody(context)
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        drip = context.eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(50)) { _ in
            let (handler, context) = bound.value
            context.writeAndFlush(handler.wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: " ")))), promise: nil)
        }
    }

    /// Writes the next piece when the one before has left, so memory stays small.
    private func flood(_ context: ChannelHandlerContext) {
        let piece = ByteBuffer(repeating: UInt8(ascii: " "), count: 16_384)
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(piece)))).whenSuccess {
            let (handler, context) = bound.value
            handler.flood(context)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        drip?.cancel()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)  // TLS refusals and broken requests are what clients are tested with
    }

    static let encoderName = "encoder"
}
